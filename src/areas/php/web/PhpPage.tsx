import { Stack, Text } from '@mantine/core'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import { useWebsites } from '../../websites/web/queries.ts'
import { useSecurity } from './queries.ts'
import { SecurityForm } from './SecurityForm.tsx'
import { VersionsTable } from './VersionsTable.tsx'

/** The versions of PHP on the host, and what the PHP of all websites may not do. */
export const PhpPage = () => (
  <Page
    title="PHP"
    about="Versions for websites, their php.ini, and what the PHP of all websites may not do."
  >
    <SettingsTabs />
    <Stack gap="xl">
      <VersionsTable />
      <Security />
    </Stack>
  </Page>
)

function Security() {
  const { data, error, refetch } = useSecurity()
  const { data: sites } = useWebsites({ per_page: 500, sort: 'domain' })
  const phpSites = sites?.items.filter(({ type }) => type === 'php')
  return (
    <SectionCard title="Restrictions of all websites">
      <Text size="sm">
        Owners cannot change them. They come into effect at once: requests that run are answered first.
      </Text>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !(data && phpSites) && <Loading rows={3} />}
      {data && phpSites && <SecurityForm key={JSON.stringify(data)} security={data} sites={phpSites} />}
    </SectionCard>
  )
}

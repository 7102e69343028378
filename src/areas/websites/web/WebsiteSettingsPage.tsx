import { SimpleGrid, Text } from '@mantine/core'
import { useMe } from '../../auth/web/queries.ts'
import { useWebsiteId } from './use-website-id.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { Website } from '../model.ts'
import { editCall, editWebsite, useWebsite } from './queries.ts'
import { type SettingsForm, settingsForms } from './settings-forms.ts'
import { WebsiteTabs } from './WebsiteTabs.tsx'

/** The settings of one website: PHP or its upstream, redirects, error pages, passwords, maintenance and directives. */
export function WebsiteSettingsPage() {
  const id = useWebsiteId()
  const { data: website, error, refetch } = useWebsite(id)
  const me = useMe()
  return (
    <Page title={website?.domain ?? 'Website'}>
      <WebsiteTabs id={id} />
      {error && !website && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !website && <Loading />}
      {website && (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          {settingsForms(website, me.data?.is_admin === true).map((form) => (
            <SettingsCard key={form.title} website={website} form={form} />
          ))}
        </SimpleGrid>
      )}
    </Page>
  )
}

function SettingsCard({ website, form }: { readonly website: Website; readonly form: SettingsForm }) {
  const { title, about, schema, text, given, bodyOf } = form
  const save = async (draft: Readonly<Record<string, unknown>>) => {
    await editWebsite(website.id, bodyOf(draft))
    notify(`${website.domain} was changed.`)
  }
  return (
    <SectionCard title={title}>
      {about !== undefined && <Text size="sm">{about}</Text>}
      <SchemaForm
        key={website.revision}
        schema={schema}
        {...(text && { text })}
        given={given}
        submitLabel="Save"
        reviewOf={(draft) => editCall(website.id, bodyOf(draft))}
        onSubmit={save}
      />
    </SectionCard>
  )
}

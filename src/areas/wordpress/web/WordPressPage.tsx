import { Box, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { run } from '../../../web/client.ts'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { SectionTabs } from '../../../web/kit/SectionTabs.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { useWebsiteId } from '../../websites/web/use-website-id.ts'
import type { Checked, Item, WordPress } from '../model.ts'
import { wordpress } from './api.ts'
import { CoreVersion } from './CoreVersion.tsx'
import { HardeningForm } from './HardeningForm.tsx'
import { ItemTable } from './ItemTable.tsx'
import { readWordPressAgain, useWordPress } from './queries.ts'
import { SignInDialog } from './SignInDialog.tsx'

/** One WordPress: its version, plugins, themes and protection. */
export function WordPressPage() {
  const id = useWebsiteId()
  const { data, error, refetch } = useWordPress(id)
  if (data) return <WordPressView found={data} />
  return (
    <Page title="WordPress">
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />}
    </Page>
  )
}

function WordPressView({ found }: { readonly found: WordPress }) {
  const { website_id: id, domain, plugins, themes } = found
  const [isSigningIn, setSigningIn] = useState(false)
  const countOf = (items: readonly Item[]) => items.filter(({ new_version }) => new_version !== null).length
  const label = (title: string, items: readonly Item[]) => {
    const count = countOf(items)
    return count === 0 ? title : `${title} (${count} ${count === 1 ? 'update' : 'updates'})`
  }
  return (
    <Page
      title={domain}
      about={`WordPress ${found.version ?? ''}`}
      actions={
        <>
          <LookForUpdates id={id} />
          <Button disabled={found.administrators.length === 0} onClick={() => setSigningIn(true)}>
            Sign in
          </Button>
        </>
      }
    >
      <SectionTabs
        label="Parts of WordPress"
        tabs={[
          { name: 'overview', label: 'Overview', content: <Overview found={found} /> },
          {
            name: 'plugins',
            label: label('Plugins', plugins),
            content: <ItemTable id={id} kind="plugin" items={plugins} />,
          },
          {
            name: 'themes',
            label: label('Themes', themes),
            content: <ItemTable id={id} kind="theme" items={themes} />,
          },
          { name: 'protection', label: 'Protection', content: <HardeningForm found={found} /> },
        ]}
      />
      {isSigningIn && <SignInDialog found={found} onClose={() => setSigningIn(false)} />}
    </Page>
  )
}

function LookForUpdates({ id }: { readonly id: number }) {
  const look = useMutation({
    mutationFn: () => run(wordpress.lookForUpdates({ params: { id } })),
    onSuccess: async (checked: Checked) => {
      await readWordPressAgain()
      notify(textOf(checked))
    },
    onError: (error) => notify(error.message, true),
  })
  return (
    <Button variant="default" loading={look.isPending} onClick={() => look.mutate()}>
      Check for updates
    </Button>
  )
}

function textOf({ core, plugins, themes }: Checked): string {
  const count = plugins + themes + (core === null ? 0 : 1)
  if (count === 0) return 'Everything is up to date.'
  return count === 1 ? '1 update is available.' : `${count} updates are available.`
}

const Overview = ({ found }: { readonly found: WordPress }) => (
  <Box pt="md">
    <SectionCard title="Details">
      <div>
        <Fact name="Title">{found.title}</Fact>
        <Fact name="Version">
          <CoreVersion found={found} />
        </Fact>
        <Fact name="PHP">{found.php_version}</Fact>
        <Fact name="Updates">
          {found.checked_at === null ? 'Not looked for yet' : <Moment time={found.checked_at} />}
        </Fact>
        <Fact name="Owner">{found.username}</Fact>
        <Fact name="Website">
          <TextLink to={`/websites/${found.website_id}`}>{found.domain}</TextLink>
        </Fact>
        <Fact name="Backups">
          <TextLink to={`/websites/${found.website_id}/backups`}>Backups of the website</TextLink>
        </Fact>
      </div>
    </SectionCard>
  </Box>
)

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" align="baseline" py={4}>
      <Text size="sm" c="dimmed" w={72} flex="none">
        {name}
      </Text>
      <Text size="sm" component="div" className="anywhere">
        {children}
      </Text>
    </Group>
  )
}

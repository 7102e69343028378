import { Anchor, SimpleGrid, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { LinkButton, TextLink } from '../../../web/kit/LinkButton.tsx'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { useListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import type { Application, CatalogApplication, InstalledApplication } from '../model.ts'
import { AppCard } from './AppCard.tsx'
import { InstallDialog } from './InstallDialog.tsx'
import { InstalledDialog } from './InstalledDialog.tsx'
import { useApplicationCatalog, useApplications } from './queries.ts'

const columns: Column<Application>[] = [
  {
    id: 'application',
    title: 'Application',
    sort: 'application',
    value: ({ name }) => name,
    cell: ({ application, website_id, name, sign_in_url: signIn }) => (
      <>
        {application === 'wordpress' ? <TextLink to={`/wordpress/${website_id}`}>{name}</TextLink> : name}
        {signIn !== null && (
          <Text size="xs">
            <Anchor href={signIn} target="_blank" rel="noreferrer" size="xs">
              Sign in
            </Anchor>
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'domain',
    title: 'Website',
    value: ({ domain }) => domain,
    cell: ({ website_id, domain }) => <TextLink to={`/websites/${website_id}`}>{domain}</TextLink>,
  },
  { id: 'owner', title: 'Owner', value: ({ username }) => username, cell: ({ username }) => username },
  {
    id: 'version',
    title: 'Version',
    value: ({ version }) => version ?? '',
    cell: ({ version, available_version: available }) => (
      <>
        {version ?? 'Unknown'}
        {available !== null && (
          <Text size="xs" c="dimmed">
            {available} is available
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'created',
    title: 'Installed',
    sort: 'created_at',
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Moment time={created_at} />,
  },
]

/** The applications that can be installed, and those that are. */
export function ApplicationsPage() {
  const [installed, setInstalled] = useState<InstalledApplication>()
  return (
    <Page
      title="Applications"
      about="Each gets a website of its own, with all that it needs, in one change."
      actions={
        <LinkButton to="/wordpress" variant="default">
          WordPress
        </LinkButton>
      }
    >
      <Catalog onInstalled={setInstalled} />
      <Title order={2} size="h4" mt="xl" mb="sm">
        Installed
      </Title>
      <Installed />
      {installed && <InstalledDialog installed={installed} onClose={() => setInstalled(undefined)} />}
    </Page>
  )
}

function Catalog({ onInstalled }: { readonly onInstalled: (installed: InstalledApplication) => void }) {
  const { data, error, refetch } = useApplicationCatalog()
  const [isLinked, setLinked] = useLinkedDialog('wordpress')
  const [chosen, choose] = useState<CatalogApplication>()
  const linked = isLinked
    ? data?.applications.find(({ application, available }) => application === 'wordpress' && available)
    : undefined
  const installing = chosen ?? linked
  const close = () => {
    choose(undefined)
    if (isLinked) setLinked(false)
  }
  return (
    <>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading />}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} role="list" aria-label="Catalog">
        {data?.applications.map((app) => (
          <AppCard key={app.application} app={app} onInstall={() => choose(app)} />
        ))}
      </SimpleGrid>
      {installing && (
        <InstallDialog
          app={installing}
          onClose={close}
          onInstalled={(reply) => {
            close()
            onInstalled(reply)
          }}
        />
      )}
    </>
  )
}

function Installed() {
  const list = useListState('created_at')
  const query = useApplications(list.asked)
  return (
    <DataTable
      label="Installed applications"
      columns={columns}
      query={query}
      rowKey={({ website_id }) => website_id}
      list={list}
      empty={<Empty title="No applications yet">Choose one above.</Empty>}
    />
  )
}

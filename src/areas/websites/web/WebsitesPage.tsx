import { Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { SuspensionState } from '../../../core/schemas.ts'
import { suspensionStates } from '../../../core/suspension.ts'
import { loaded } from '../../../web/connection.ts'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { LinkButton, TextLink } from '../../../web/kit/LinkButton.tsx'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { useListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { StateFilter } from '../../../web/kit/StateFilter.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { useMe } from '../../auth/web/queries.ts'
import type { Website } from '../model.ts'
import { websiteBulk } from './bulk.ts'
import { useWebsites } from './queries.ts'

const CreateWebsite = lazy(() =>
  loaded(() => import('./CreateWebsite.tsx')).then((page) => ({ default: page.CreateWebsite })),
)

const CreationLock = lazy(() =>
  loaded(() => import('./CreationLock.tsx')).then((page) => ({ default: page.CreationLock })),
)

const columns: Column<Website>[] = [
  {
    id: 'domain',
    title: 'Domain',
    sort: 'domain',
    value: ({ domain }) => domain,
    cell: ({ id, domain, aliases }) => (
      <>
        <TextLink to={`/websites/${id}`}>{domain}</TextLink>
        {aliases.length > 0 && (
          <Text size="xs" c="dimmed">
            {aliases.join(', ')}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'owner',
    title: 'Owner',
    sort: 'username',
    value: ({ username }) => username,
    cell: ({ username }) => username,
  },
  {
    id: 'state',
    title: 'State',
    cell: ({ is_suspended }) => <StateBadge state={is_suspended ? 'suspended' : 'live'} />,
  },
  {
    id: 'created',
    title: 'Created',
    sort: 'created_at',
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Moment time={created_at} />,
  },
]

/** The websites of this host: the user's own, or all for a superuser. */
export function WebsitesPage() {
  const isAdmin = useMe().data?.is_admin === true
  const list = useListState('domain')
  const [state, setState] = useState<SuspensionState>()
  const websites = useWebsites({ ...list.asked, ...(state && { state }) })
  const [isCreating, setCreating] = useLinkedDialog('new')
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New website
    </Button>
  )
  return (
    <Page
      title="Websites"
      actions={
        <Group gap="sm">
          <Suspense>{isAdmin && <CreationLock />}</Suspense>
          <LinkButton to="/applications" variant="default">
            Applications
          </LinkButton>
          {create}
        </Group>
      }
    >
      <DataTable
        label="Websites"
        columns={columns}
        query={websites}
        rowKey={({ id }) => id}
        list={list}
        searchLabel="Search websites"
        filters={<StateFilter states={suspensionStates} value={state} onChange={setState} list={list} />}
        bulk={websiteBulk}
        empty={
          list.search || state ? (
            <Empty title="Nothing found">No website matches.</Empty>
          ) : (
            <Empty title="No websites yet" action={create}>
              A domain name is all it takes to serve the first one.
            </Empty>
          )
        }
      />
      <Suspense>{isCreating && <CreateWebsite onClose={() => setCreating(false)} />}</Suspense>
    </Page>
  )
}

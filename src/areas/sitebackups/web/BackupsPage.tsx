import { Stack, Text } from '@mantine/core'
import type { Static } from 'typebox'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useMe } from '../../auth/web/queries.ts'
import type { Protection } from '../model.ts'
import { DrillBadge } from './DrillBadge.tsx'
import { DrillSettingsCard } from './DrillSettingsCard.tsx'
import { locationOf } from './location.ts'
import { useProtection } from './queries.ts'

type Protected = Static<typeof Protection>

/** Which websites are protected by backups: age, size and location. */
export function BackupsPage() {
  const list = useListState('domain')
  const query = useProtection(list.asked)
  const { data: me } = useMe()
  return (
    <Page
      title="Backups"
      about="Which websites are protected, how old their newest backup is, and whether it restores."
    >
      <Stack gap="lg">
        <DataTable
          label="Websites"
          columns={columns}
          query={query}
          rowKey={(row) => row.website_id}
          list={list}
          searchLabel="Search websites"
          empty={
            <Empty title={list.search ? 'Nothing found' : 'No websites yet'}>
              {list.search ? 'No website matches.' : 'A backup belongs to a website.'}
            </Empty>
          }
        />
        {me?.is_admin === true && <DrillSettingsCard />}
      </Stack>
    </Page>
  )
}

const columns: readonly Column<Protected>[] = [
  {
    id: 'domain',
    title: 'Website',
    sort: 'domain',
    value: ({ domain }) => domain,
    cell: ({ website_id: id, domain }) => <TextLink to={`/websites/${id}/backups`}>{domain}</TextLink>,
  },
  {
    id: 'latest',
    title: 'Newest backup',
    cell: ({ latest, is_scheduled }) => (
      <>
        <Moment time={latest?.time_mark} none="Not protected" />
        <Text size="xs" c="dimmed">
          {latest?.complete === false ? 'Incomplete. ' : ''}
          {is_scheduled ? 'Scheduled' : 'No schedule'}
        </Text>
      </>
    ),
  },
  {
    id: 'drill',
    title: 'Restore drill',
    cell: ({ proven_at: provenAt, drill_passed: passed, is_overdue: isOverdue }) => (
      <DrillBadge provenAt={provenAt} passed={passed} isOverdue={isOverdue} />
    ),
  },
  { id: 'count', title: 'Backups', cell: ({ backup_count: count }) => count },
  { id: 'size', title: 'Size', cell: ({ size_bytes: size }) => formatBytes(size) },
  {
    id: 'location',
    title: 'Location',
    cell: ({ latest }) => (latest === null ? 'None' : locationOf(latest)),
  },
]

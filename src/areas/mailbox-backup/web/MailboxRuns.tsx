import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { LogLines } from '../../../web/kit/LogLines.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { MailboxRun } from '../model.ts'
import { useMailboxLog, useMailboxStatus } from './queries.ts'

const columns: readonly Column<MailboxRun>[] = [
  { id: 'started', title: 'Started', cell: ({ started_at }) => <Moment time={started_at} /> },
  {
    id: 'state',
    title: 'State',
    cell: ({ state, error }) => (
      <>
        <StateBadge state={state} />
        {error !== '' && (
          <Text size="xs" c="dimmed" className="anywhere">
            {error}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'mailboxes',
    title: 'Mailboxes',
    cell: ({ mailboxes, failed }) => (failed === 0 ? mailboxes : `${mailboxes}, ${failed} failed`),
  },
  { id: 'messages', title: 'New messages', cell: ({ new_messages }) => new_messages },
  {
    id: 'finished',
    title: 'Ended',
    cell: ({ finished_at }) => (finished_at === null ? '–' : <Moment time={finished_at} />),
  },
]

/** The last runs, when the next one begins, and their log. */
export function MailboxRuns() {
  const { data, ...query } = useMailboxStatus()
  const [showsLog, setShowsLog] = useState(false)
  return (
    <SectionCard title="Runs">
      <Text size="sm" mb="sm">
        Next run: {data?.next_run ? <Moment time={data.next_run} /> : 'not scheduled'}
      </Text>
      <DataTable
        label="Runs"
        columns={columns}
        query={useWholePage({ ...query, data: data?.runs })}
        rowKey={({ id }) => id}
        empty={<Empty title="No runs yet">The schedule starts the first one, or Back up now.</Empty>}
      />
      <Group>
        <Button variant="default" onClick={() => setShowsLog(true)}>
          Show the log
        </Button>
      </Group>
      {showsLog && <LogDialog onClose={() => setShowsLog(false)} />}
    </SectionCard>
  )
}

function LogDialog({ onClose }: { readonly onClose: () => void }) {
  const { data, error } = useMailboxLog()
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title="Log of the runs"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="sm">
        {error && !data && <Failure error={error} />}
        {!error && !data && <Loading />}
        {data && (
          <>
            <Text size="xs" c="dimmed" className="anywhere">
              {data.log_file}
            </Text>
            <LogLines lines={data.lines} label="Log of the runs" />
          </>
        )}
        <DialogFooter>
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}

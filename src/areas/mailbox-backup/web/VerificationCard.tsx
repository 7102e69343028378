import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import type { MailboxVerification } from '../verify/model.ts'
import { mailboxBackup } from './api.ts'
import { carryOut, useVerifications } from './queries.ts'

const columns: readonly Column<MailboxVerification>[] = [
  {
    id: 'email',
    title: 'Mailbox',
    value: ({ email }) => email,
    cell: ({ email }) => <span className="anywhere">{email}</span>,
  },
  {
    id: 'state',
    title: 'State',
    value: ({ state }) => state,
    cell: ({ state, message }) => (
      <>
        <StateBadge state={state} />
        {message !== '' && (
          <Text size="xs" c="dimmed" className="anywhere">
            {message}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'messages',
    title: 'Messages',
    cell: ({ messages, server_messages }) =>
      server_messages === null ? messages : `${messages}, ${server_messages} on the server`,
  },
  { id: 'contents', title: 'Contents', cell: ({ contents }) => contents },
  { id: 'time', title: 'Verified', cell: ({ verified_at }) => <Moment time={verified_at} /> },
]

/** What the last verification has found about each backup, and a button that begins the next. */
export function VerificationCard() {
  const { data, ...query } = useVerifications()
  const [jobId, setJobId] = useState<number>()
  const begin = useMutation({
    mutationFn: () => carryOut(mailboxBackup.verifyMailboxBackups({ body: {} })),
    onSuccess: ({ job_id }) => setJobId(job_id),
    onError: (error) => notify(textOf(error), true),
  })
  const running = data?.job_id ?? undefined
  return (
    <SectionCard title="Verification">
      <DataTable
        label="Verified backups"
        columns={columns}
        query={useWholePage({ ...query, data: data?.mailboxes })}
        rowKey={({ email }) => email}
        empty={
          <Empty title="Not verified yet">
            A verification compares the backups with their hashes and with the mail server.
          </Empty>
        }
      />
      <Group>
        <Button
          variant="default"
          loading={begin.isPending}
          onClick={() => (running === undefined ? begin.mutate() : setJobId(running))}
        >
          {running === undefined ? 'Verify now' : 'Show the running verification'}
        </Button>
      </Group>
      {jobId !== undefined && (
        <JobDialog
          title="Verify the backups"
          jobId={jobId}
          onClose={() => setJobId(undefined)}
          onEnd={() => void readAgain('mailbox-backup')}
        />
      )}
    </SectionCard>
  )
}

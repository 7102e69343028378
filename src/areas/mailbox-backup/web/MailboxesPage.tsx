import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import { mailboxBackup } from './api.ts'
import { MailboxRuns } from './MailboxRuns.tsx'
import { MailboxSettingsCard } from './MailboxSettingsCard.tsx'
import { MailboxTable } from './MailboxTable.tsx'
import { carryOut, useMailboxStatus } from './queries.ts'
import { VerificationCard } from './VerificationCard.tsx'

/** The mailboxes with the state of their backups, how they are backed up, and the runs. */
export function MailboxesPage() {
  const { data } = useMailboxStatus()
  const [jobId, setJobId] = useState<number>()
  const begin = useMutation({
    mutationFn: () => carryOut(mailboxBackup.runMailboxBackup({ body: {} })),
    onSuccess: ({ job_id }) => setJobId(job_id),
    onError: (error) => notify(textOf(error), true),
  })
  const running = data?.job_id ?? undefined
  return (
    <Page
      title="Mailbox backup"
      about="Backups of Microsoft 365 mailboxes: their messages, with attachments here or on S3."
      actions={
        running === undefined ? (
          <Button loading={begin.isPending} onClick={() => begin.mutate()}>
            Back up now
          </Button>
        ) : (
          <Button variant="default" onClick={() => setJobId(running)}>
            Show the running backup
          </Button>
        )
      }
    >
      <SettingsTabs />
      <Stack gap="xl">
        <MailboxTable />
        <MailboxSettingsCard />
        <MailboxRuns />
        <VerificationCard />
      </Stack>
      {jobId !== undefined && (
        <JobDialog
          title="Back up the mailboxes"
          jobId={jobId}
          onClose={() => setJobId(undefined)}
          onEnd={() => void readAgain('mailbox-backup')}
        />
      )}
    </Page>
  )
}

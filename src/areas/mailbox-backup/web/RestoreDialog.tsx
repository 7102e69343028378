import { Modal } from '@mantine/core'
import { useState } from 'react'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { readAgain } from '../../../web/queries.ts'
import { RestoreDraft } from '../restore/model.ts'
import { mailboxBackup } from './api.ts'
import { carryOut } from './queries.ts'

const text = {
  to: { label: 'Mailbox', hint: 'Leave blank for the mailbox that the messages are from' },
  into: { label: 'Folder', hint: 'At the top of that mailbox; it is made if it does not exist' },
}

interface RestoreDialogProps {
  readonly email: string
  readonly title: string
  /** The messages, or the folder. */
  readonly chosen: Pick<RestoreDraft, 'message_ids' | 'folder'>
  readonly onClose: () => void
}

/** Asks where messages are restored to, and shows the progress. */
export function RestoreDialog({ email, title, chosen, onClose }: RestoreDialogProps) {
  const [jobId, setJobId] = useState<number>()
  const callOf = (place: Partial<RestoreDraft>) =>
    mailboxBackup.restoreMailMessages({ params: { email }, body: { ...place, ...chosen } })
  const restore = async (place: Partial<RestoreDraft>) => {
    const { job_id } = await carryOut(callOf(place))
    setJobId(job_id)
  }
  if (jobId !== undefined)
    return (
      <JobDialog
        title={title}
        jobId={jobId}
        onClose={onClose}
        onEnd={() => void readAgain('mailbox-backup')}
      />
    )
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <SchemaForm
        schema={RestoreDraft}
        text={text}
        only={['to', 'into']}
        submitLabel="Restore"
        reviewOf={callOf}
        onSubmit={restore}
        onCancel={onClose}
      />
    </Modal>
  )
}

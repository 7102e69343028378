import { Modal } from '@mantine/core'
import { JobProgress } from './JobProgress.tsx'

interface JobDialogProps {
  readonly title: string
  readonly jobId: number
  readonly onClose: () => void
  readonly onEnd?: (state: string) => void
}

/** The progress of a job in a dialog; the job keeps running when the dialog closes. */
export function JobDialog({ title, jobId, onClose, onEnd }: JobDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close; the job continues' }}
    >
      <JobProgress jobId={jobId} {...(onEnd && { onEnd })} />
    </Modal>
  )
}

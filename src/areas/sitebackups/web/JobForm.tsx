import { Modal, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { orderJob } from '../../../web/client.ts'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { JobProgress } from '../../../web/kit/JobProgress.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { readBackupsAgain } from './queries.ts'

interface JobFormProps {
  readonly title: string
  readonly submitLabel: string
  readonly call: Call
  /** The fields of the form. */
  readonly children: ReactNode
  readonly onClose: () => void
}

/** A form that orders a backup or a restore, and then its progress; the job continues when the dialog is closed. */
export function JobForm({ title, submitLabel, call, children, onClose }: JobFormProps) {
  const [jobId, setJobId] = useState<number>()
  const [isOver, setOver] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const begin = async (event: FormEvent) => {
    event.preventDefault()
    if (isAsking) return
    setFailure(undefined)
    setAsking(true)
    await orderJob(call).then(setJobId, setFailure)
    setAsking(false)
  }
  const end = () => {
    setOver(true)
    void readBackupsAgain()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={title}
      closeButtonProps={{
        'aria-label': jobId === undefined || isOver ? 'Close' : 'Close; the job continues',
      }}
    >
      {jobId !== undefined && <JobProgress jobId={jobId} onEnd={end} />}
      {jobId === undefined && (
        <form onSubmit={(event) => void begin(event)}>
          <Stack gap="md">
            {children}
            {failure !== undefined && <Failure error={failure} />}
            <FormButtons
              submitLabel={submitLabel}
              isSending={isAsking}
              isDisabled={false}
              reviewed={{ call }}
              onCancel={onClose}
            />
          </Stack>
        </form>
      )}
    </Modal>
  )
}

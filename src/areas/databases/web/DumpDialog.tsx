import { Modal, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Call } from '../../../web/call.ts'
import { orderJob } from '../../../web/client.ts'
import { FormButtons } from '../../../web/kit/FormButtons.tsx'
import { JobProgress } from '../../../web/kit/JobProgress.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { readDatabasesAgain } from './queries.ts'

interface DumpDialogProps {
  readonly title: string
  readonly submitLabel: string
  readonly call: Call
  readonly isDisabled?: boolean
  /** The fields of the form. */
  readonly children: ReactNode
  /** Shown below the progress once the job has succeeded. */
  readonly done: ReactNode
  readonly onClose: () => void
}

/** A form that orders an export or an import, and then its progress; the job continues when the dialog is closed. */
export function DumpDialog({
  title,
  submitLabel,
  call,
  isDisabled,
  children,
  done,
  onClose,
}: DumpDialogProps) {
  const [jobId, setJobId] = useState<number>()
  const [state, setState] = useState<string>()
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
  const end = (ended: string) => {
    setState(ended)
    void readDatabasesAgain()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={title}
      closeButtonProps={{ 'aria-label': jobId === undefined || state ? 'Close' : 'Close; the job continues' }}
    >
      <Stack gap="md">
        {jobId !== undefined && <JobProgress jobId={jobId} onEnd={end} />}
        {state === 'succeeded' && done}
        {jobId === undefined && (
          <form onSubmit={(event) => void begin(event)}>
            <Stack gap="md">
              {children}
              {failure !== undefined && <Failure error={failure} />}
              <FormButtons
                submitLabel={submitLabel}
                isSending={isAsking}
                isDisabled={isDisabled === true}
                reviewed={{ call }}
                onCancel={onClose}
              />
            </Stack>
          </form>
        )}
      </Stack>
    </Modal>
  )
}

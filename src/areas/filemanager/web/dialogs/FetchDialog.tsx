import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { run } from '../../../../web/client.ts'
import { FormButtons } from '../../../../web/kit/FormButtons.tsx'
import { Failure } from '../../../../web/kit/states.tsx'
import { calls } from '../calls.ts'
import type { Begun } from '../jobs/file-jobs.ts'
import { JobInDialog } from '../jobs/JobInDialog.tsx'
import { shown } from '../names.ts'
import { nameOf } from '../paths.ts'
import type { Whose } from '../queries.ts'

interface FetchDialogProps {
  readonly whose: Whose
  readonly folder: string
  readonly onClose: () => void
}

/** Downloads a URL into the folder by a job, which continues when the dialog is closed. */
export function FetchDialog({ whose, folder, onClose }: FetchDialogProps) {
  const [url, setUrl] = useState('')
  const [job, setJob] = useState<Begun>()
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const call = calls.download(whose, folder, url.trim())
  const begin = async (event: FormEvent) => {
    event.preventDefault()
    if (isAsking) return
    setFailure(undefined)
    setAsking(true)
    await run(call).then(
      ({ job_id: jobId }) => setJob({ jobId, verb: 'fetch', name: nameFrom(url), count: 1 }),
      setFailure,
    )
    setAsking(false)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title="Download from a URL"
      closeOnClickOutside={job !== undefined || url === ''}
      closeButtonProps={{ 'aria-label': job === undefined ? 'Close' : 'Close; the download continues' }}
    >
      {job && <JobInDialog job={job} />}
      {job === undefined && (
        <form onSubmit={(event) => void begin(event)}>
          <Stack gap="md">
            <TextInput
              label="URL"
              description={`http or https. The file goes into ${folder === '' ? 'the home' : shown(folder)}.`}
              value={url}
              onChange={(event) => setUrl(event.currentTarget.value)}
              maxLength={8192}
              required
              data-autofocus
              inputMode="url"
              autoComplete="off"
            />
            {failure !== undefined && <Failure error={failure} />}
            <FormButtons
              submitLabel="Download"
              isSending={isAsking}
              isDisabled={!/^https?:\/\/./i.test(url.trim())}
              reviewed={{ call }}
              onCancel={onClose}
            >
              <Text size="xs" c="dimmed">
                The panel fetches it, not your browser.
              </Text>
            </FormButtons>
          </Stack>
        </form>
      )}
    </Modal>
  )
}

/** Guesses the file name; the result of the job has the real one. */
function nameFrom(url: string): string {
  return nameOf(URL.parse(url.trim())?.pathname ?? '') || url.trim()
}

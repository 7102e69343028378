import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { run } from '../../../../web/client.ts'
import { JobProgress } from '../../../../web/kit/JobProgress.tsx'
import { Failure } from '../../../../web/kit/states.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { calls } from '../calls.ts'
import { shown } from '../names.ts'
import type { Whose } from '../queries.ts'

interface FetchDialogProps {
  readonly whose: Whose
  readonly folder: string
  readonly onClose: () => void
}

/** Lets the panel download a URL into the folder; it goes on when the dialog is closed. */
export function FetchDialog({ whose, folder, onClose }: FetchDialogProps) {
  const [url, setUrl] = useState('')
  const [jobId, setJobId] = useState<number>()
  const [failure, setFailure] = useState<unknown>()
  const begin = (event: FormEvent) => {
    event.preventDefault()
    setFailure(undefined)
    run<{ readonly job_id: number }>(calls.download(whose, folder, url.trim())).then(({ job_id }) => setJobId(job_id), setFailure)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title="Download from a URL"
      closeButtonProps={{ 'aria-label': jobId === undefined ? 'Close' : 'Close; the download goes on' }}
    >
      {jobId !== undefined && <JobProgress jobId={jobId} onEnd={() => void readAgain('files')} />}
      {jobId === undefined && (
        <form onSubmit={begin}>
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
            <Group justify="space-between" gap="xs">
              <Text size="xs" c="dimmed">
                The panel fetches it, not your browser.
              </Text>
              <Group gap="xs">
                <Button variant="default" onClick={onClose}>
                  Cancel
                </Button>
                <Button type="submit" disabled={!/^https?:\/\/./i.test(url.trim())}>
                  Download
                </Button>
              </Group>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}

import { Group, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { run } from '../../../../web/client.ts'
import { FormButtons } from '../../../../web/kit/FormButtons.tsx'
import { Failure } from '../../../../web/kit/states.tsx'
import { vcsCalls } from '../calls.ts'
import type { Begun } from '../jobs/file-jobs.ts'
import { JobInDialog } from '../jobs/JobInDialog.tsx'
import { shown } from '../names.ts'
import { joinPath } from '../paths.ts'
import type { Whose } from '../queries.ts'
import { isReady, noSignIn, reachingOf, SignInFields } from './SignInFields.tsx'

interface CloneDialogProps {
  readonly whose: Whose
  readonly folder: string
  readonly onClose: () => void
  /** Called with the folder of the repository when it exists. */
  readonly onCloned: (path: string) => void
}

/** Clones a repository into a new folder; the job continues when the dialog is closed. */
export function CloneDialog({ whose, folder, onClose, onCloned }: CloneDialogProps) {
  const [url, setUrl] = useState('')
  const [name, setName] = useState<string>()
  const [branch, setBranch] = useState('')
  const [signIn, setSignIn] = useState(noSignIn)
  const [job, setJob] = useState<Begun>()
  const [hasFailed, setFailed] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const into = name ?? nameFromUrl(url)
  const path = joinPath(folder, into)
  const isTyped = url !== '' || name !== undefined || branch !== '' || signIn !== noSignIn
  const call = vcsCalls.clone(
    { whose, path },
    {
      url: url.trim(),
      ...(branch.trim() !== '' && { branch: branch.trim() }),
      ...reachingOf(signIn),
    },
  )
  const begin = async (event: FormEvent) => {
    event.preventDefault()
    if (isAsking) return
    setFailure(undefined)
    setFailed(false)
    setJob(undefined)
    setAsking(true)
    await run(call).then(
      ({ job_id: jobId }) => setJob({ jobId, verb: 'clone', name: shown(into), count: 1 }),
      setFailure,
    )
    setAsking(false)
  }
  const isRunning = job !== undefined && !hasFailed
  const end = (state: string) => (state === 'succeeded' ? onCloned(path) : setFailed(true))
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title="Clone a repository"
      closeOnClickOutside={isRunning || !isTyped}
      closeButtonProps={{ 'aria-label': isRunning ? 'Close; the clone continues' : 'Close' }}
    >
      {job && <JobInDialog key={job.jobId} job={job} onEnd={end} />}
      {!isRunning && (
        <form onSubmit={(event) => void begin(event)}>
          <Stack gap="md">
            <TextInput
              label="Address"
              description="https://, ssh:// or user@host:path"
              value={url}
              onChange={(event) => setUrl(event.currentTarget.value)}
              required
              maxLength={2000}
              data-autofocus
              autoComplete="off"
            />
            <Group grow align="flex-start">
              <TextInput
                label="Folder"
                description={`In ${folder === '' ? 'the home' : shown(folder)}`}
                value={into}
                onChange={(event) => setName(event.currentTarget.value)}
                required
                maxLength={255}
              />
              <TextInput
                label="Branch"
                description="Leave blank for the default branch"
                value={branch}
                onChange={(event) => setBranch(event.currentTarget.value)}
                maxLength={200}
              />
            </Group>
            <SignInFields value={signIn} onChange={setSignIn} keptLabel="None" isReaching />
            {failure !== undefined && <Failure error={failure} />}
            <FormButtons
              submitLabel="Clone"
              isSending={isAsking}
              isDisabled={url.trim() === '' || into.trim() === '' || !isReady(signIn)}
              reviewed={{ call }}
              onCancel={onClose}
            />
          </Stack>
        </form>
      )}
    </Modal>
  )
}

/** Returns git's default folder name: the last part of the URL. */
function nameFromUrl(url: string): string {
  return (
    url
      .trim()
      .replace(/\/+$/, '')
      .split(/[/:]/)
      .at(-1)
      ?.replace(/\.git$/, '') ?? ''
  )
}

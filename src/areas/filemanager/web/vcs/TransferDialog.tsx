import { Checkbox, Group, Modal, NativeSelect, Radio, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { run } from '../../../../web/client.ts'
import { FormButtons } from '../../../../web/kit/FormButtons.tsx'
import { Failure } from '../../../../web/kit/states.tsx'
import { type Repository, vcsCalls } from '../calls.ts'
import type { Begun } from '../jobs/file-jobs.ts'
import { JobInDialog } from '../jobs/JobInDialog.tsx'
import { shown } from '../names.ts'
import { nameOf } from '../paths.ts'
import type { Status } from './queries.ts'
import { isReady, noSignIn, reachingOf, SignInFields } from './SignInFields.tsx'

interface TransferDialogProps {
  readonly verb: 'pull' | 'push'
  readonly repository: Repository
  readonly status: Pick<Status, 'remotes' | 'branch' | 'upstream' | 'root'>
  readonly onClose: () => void
}

/** Pulls from a remote or pushes to it, and shows the output of both sides. */
// oxlint-disable-next-line max-lines-per-function -- one form
export function TransferDialog({ verb, repository, status, onClose }: TransferDialogProps) {
  const { remotes, upstream } = status
  const [remote, setRemote] = useState(
    remotes.find(({ name }) => upstream?.startsWith(`${name}/`))?.name ?? remotes[0]?.name ?? 'origin',
  )
  const [branch, setBranch] = useState(
    upstream?.startsWith(`${remote}/`) ? upstream.slice(remote.length + 1) : (status.branch ?? ''),
  )
  const [isMerging, setMerging] = useState(false)
  const [withTags, setWithTags] = useState(false)
  const [isForced, setForced] = useState(false)
  const [signIn, setSignIn] = useState(noSignIn)
  const [job, setJob] = useState<Begun>()
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const to = { remote, ...(branch.trim() !== '' && { branch: branch.trim() }), ...reachingOf(signIn) }
  const call =
    verb === 'pull'
      ? vcsCalls.pull(repository, { ...to, strategy: isMerging ? 'merge' : 'ff_only' })
      : vcsCalls.push(repository, { ...to, tags: withTags, force_with_lease: isForced })
  const begin = async (event: FormEvent) => {
    event.preventDefault()
    if (isAsking) return
    setFailure(undefined)
    setAsking(true)
    await run(call).then(
      ({ job_id: jobId }) => setJob({ jobId, verb, name: shown(nameOf(status.root)), count: 1 }),
      setFailure,
    )
    setAsking(false)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={verb === 'pull' ? 'Pull from a remote' : 'Push to a remote'}
      closeOnClickOutside={job !== undefined || signIn === noSignIn}
      closeButtonProps={{ 'aria-label': job === undefined ? 'Close' : 'Close; it continues' }}
    >
      {job && <JobInDialog job={job} />}
      {job === undefined && (
        <form onSubmit={(event) => void begin(event)}>
          <Stack gap="md">
            <Group grow align="flex-start">
              <NativeSelect
                label="Remote"
                data-autofocus
                data={remotes.map(({ name }) => name)}
                value={remote}
                onChange={(event) => setRemote(event.currentTarget.value)}
              />
              <TextInput
                label="Remote branch"
                value={branch}
                onChange={(event) => setBranch(event.currentTarget.value)}
                maxLength={200}
              />
            </Group>
            {verb === 'pull' && (
              <Radio.Group
                label="If both sides have commits"
                value={isMerging ? 'merge' : 'stop'}
                onChange={(value) => setMerging(value === 'merge')}
              >
                <Stack gap={6} mt={6}>
                  <Radio value="stop" label="Stop without changes" />
                  <Radio value="merge" label="Merge; abort on conflicts" />
                </Stack>
              </Radio.Group>
            )}
            {verb === 'push' && (
              <Stack gap={8}>
                <Checkbox
                  label="Include tags"
                  checked={withTags}
                  onChange={(event) => setWithTags(event.currentTarget.checked)}
                />
                <Checkbox
                  label="Force push (with lease)"
                  description="Only if the remote branch is as of the last pull. The replaced commits are lost there."
                  checked={isForced}
                  onChange={(event) => setForced(event.currentTarget.checked)}
                />
              </Stack>
            )}
            <SignInFields
              value={signIn}
              onChange={setSignIn}
              keptLabel={
                remotes.find(({ name }) => name === remote)?.credentials ? 'Stored credentials' : 'None'
              }
              isReaching
            />
            {failure !== undefined && <Failure error={failure} />}
            <FormButtons
              submitLabel={verb === 'pull' ? 'Pull' : 'Push'}
              isSending={isAsking}
              isDisabled={!isReady(signIn)}
              color={isForced ? 'red.9' : 'indigo'}
              reviewed={{ call }}
              onCancel={onClose}
            />
          </Stack>
        </form>
      )}
    </Modal>
  )
}

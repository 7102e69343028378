import { Text } from '@mantine/core'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { CloneDraft, type Container, ContainerDraft, RestoreDraft } from '../model.ts'
import { containers } from './api.ts'
import { useConfig } from './queries.ts'
import { longMs } from './state.ts'

const text = {
  image: { label: 'Image', hint: 'Such as nginx:1.27' },
  name: { label: 'Name' },
  ports: { label: 'Published ports', hint: '8080:80, or 127.0.0.1:8080:80 for this host alone' },
  env: { label: 'Environment', hint: 'KEY=value' },
  volumes: { label: 'Volumes', hint: 'name:/path or /folder:/path, then :ro' },
  restart_policy: { label: 'Restart policy' },
  command: { label: 'Command' },
  network: { label: 'Network' },
  privileged: { label: 'Privileged' },
  memory_mb: { label: 'Memory limit (MiB)' },
  cpus: { label: 'CPU limit (cores)' },
  confirm: { label: 'Confirm dangerous options', hint: 'A path of the host, privileged, or host' },
}
const upFront = ['image', 'name', 'ports', 'env', 'volumes']

export interface DialogProps {
  readonly container: Container
  readonly onClose: () => void
}

/** Asks for a new container and creates it. */
export const CreateDialog = ({ onClose }: Pick<DialogProps, 'onClose'>) => (
  <PlannedForm
    title="Create a container"
    confirmLabel="Create"
    size="xl"
    schema={ContainerDraft}
    text={text}
    upFront={upFront}
    callOf={(body: ContainerDraft) => containers.createContainer({ body, limitMs: longMs })}
    onClose={onClose}
    onDone={() => done(onClose, 'The container was created.')}
  />
)

/** Replaces a container by one with other settings. */
export function EditDialog({ container: { id, name }, onClose }: DialogProps) {
  const { data, error } = useConfig(id)
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <PlannedForm
      title={`Edit ${name}`}
      confirmLabel="Save"
      size="xl"
      schema={ContainerDraft}
      text={text}
      upFront={upFront}
      given={data}
      callOf={(body: ContainerDraft) => containers.editContainer({ params: { id }, body, limitMs: longMs })}
      onClose={onClose}
      onDone={() => done(onClose, `${name} was replaced. The former container is kept, stopped.`)}
    />
  )
}

/** Copies a container with its volumes. */
export const CloneDialog = ({ container: { id, name }, onClose }: DialogProps) => (
  <PlannedForm
    title={`Clone ${name}`}
    confirmLabel="Clone"
    schema={CloneDraft}
    text={text}
    callOf={(body: CloneDraft) => containers.cloneContainer({ params: { id }, body, limitMs: longMs })}
    onClose={onClose}
    onDone={() => done(onClose, `${name} was cloned.`)}
  />
)

/** Backs up a container. */
export const BackupDialog = ({ container: { id, name }, onClose }: DialogProps) => (
  <ChangeDialog
    title={`Back up ${name}`}
    confirmLabel="Back up"
    call={containers.backUpContainer({ params: { id }, limitMs: longMs })}
    onClose={onClose}
    onDone={() => done(onClose, `${name} was backed up.`)}
  >
    <Text size="sm">It is paused while its files are read. Folders of the host are not part of it.</Text>
  </ChangeDialog>
)

/** Removes a container, after showing what that does. */
export const RemoveDialog = ({ container: { id, name }, onClose }: DialogProps) => (
  <ChangeDialog
    title={`Remove ${name}`}
    confirmLabel="Remove"
    call={containers.removeContainer({ params: { id }, query: { force: '1' } })}
    onClose={onClose}
    onDone={() => done(onClose, `${name} was removed.`)}
  >
    <Text size="sm">Its named volumes stay.</Text>
  </ChangeDialog>
)

interface RestoreProps {
  readonly backup: { readonly image: string; readonly folder: string }
  readonly onClose: () => void
}

/** Creates a container of a backup. */
export const RestoreDialog = ({ backup, onClose }: RestoreProps) => (
  <PlannedForm
    title="Restore a backup"
    confirmLabel="Restore"
    schema={RestoreDraft}
    text={{ ...text, folder: { label: 'Folder of the volumes' } }}
    given={backup}
    callOf={(body: RestoreDraft) => containers.restoreContainer({ body, limitMs: longMs })}
    onClose={onClose}
    onDone={() => done(onClose, 'The container was restored.')}
  />
)

/** Closes a dialog, tells what was done, and reads the pages again. */
export async function done(close: () => void, message: string): Promise<void> {
  close()
  notify(message)
  await readAgain('containers')
}

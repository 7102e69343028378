import { Button, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { useMe } from '../../auth/web/queries.ts'
import { useUsers } from '../../users/web/queries.ts'
import type { ApplicationDraft, CatalogApplication, InstalledApplication } from '../model.ts'
import { applications } from './api.ts'
import { installForm, type Person, type PossibleOwner } from './install-form.ts'
import { readApplicationsAgain } from './queries.ts'

interface InstallDialogProps {
  readonly app: CatalogApplication
  readonly onClose: () => void
  readonly onInstalled: (installed: InstalledApplication) => void
}

/** A download and a set-up may take minutes. */
const limitMs = 1_800_000

/** Asks for the domain and the administrator of an application, shows what will be made, and installs it. */
export function InstallDialog(props: InstallDialogProps) {
  const me = useMe()
  if (me.error && !me.data)
    return (
      <Waiting {...props}>
        <Failure error={me.error} onRetry={() => void me.refetch()} />
      </Waiting>
    )
  if (!me.data)
    return (
      <Waiting {...props}>
        <Loading rows={3} />
      </Waiting>
    )
  if (me.data.is_admin) return <ForOwner {...props} me={me.data} />
  if (me.data.username !== null) return <InstallForm {...props} me={me.data} owners={[]} />
  return (
    <Waiting {...props}>
      <Text size="sm">Your account has no Linux account. Ask an administrator to add one.</Text>
    </Waiting>
  )
}

function ForOwner(props: InstallDialogProps & { readonly me: Person }) {
  const { data, error, refetch } = useUsers({ per_page: 500, sort: 'email' })
  const owners = (data?.items ?? []).flatMap(({ username, fullname, is_suspended }) =>
    username === null || is_suspended ? [] : [{ username, fullname }],
  )
  if (owners.length > 0) return <InstallForm {...props} owners={owners} />
  return (
    <Waiting {...props}>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading rows={3} />}
      {data && <Text size="sm">Create a user with a Linux account first: the files belong to one.</Text>}
    </Waiting>
  )
}

const Waiting = ({ app, onClose, children }: InstallDialogProps & { readonly children: ReactNode }) => (
  <Modal opened onClose={onClose} title={`Install ${app.name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
    <Stack gap="md">
      {children}
      <DialogFooter>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
      </DialogFooter>
    </Stack>
  </Modal>
)

interface InstallFormProps extends InstallDialogProps {
  readonly me: Person
  readonly owners: readonly PossibleOwner[]
}

function InstallForm({ app, me, owners, onClose, onInstalled }: InstallFormProps) {
  const { schema, text } = installForm(app, me, owners)
  const { application, name } = app
  const done = async (installed: InstalledApplication) => {
    notify(`${name} was installed on ${installed.domain}.`)
    onInstalled(installed)
    await readApplicationsAgain()
  }
  return (
    <PlannedForm
      title={`Install ${name}`}
      confirmLabel="Install"
      schema={schema}
      text={text}
      callOf={(draft: Omit<ApplicationDraft, 'application'>) =>
        applications.installApplication({ body: { ...draft, application }, limitMs })
      }
      onClose={onClose}
      onDone={done}
    />
  )
}

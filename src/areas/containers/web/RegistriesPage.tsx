import { Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type Registry, RegistryDraft, RegistryForm } from '../registries/model.ts'
import { containers } from './api.ts'
import { ContainersFrame } from './ContainersFrame.tsx'
import { done } from './Dialogs.tsx'
import { useRegistries } from './queries.ts'

const text = {
  registry: {
    label: 'Registry',
    hint: 'Such as registry.example.com:5000; docker.io for images whose names begin with no host',
  },
  username: { label: 'User name' },
  password: { label: 'Password or access token', hint: 'Stored sealed, and sent to the engine alone' },
}
const changedText = { ...text, password: { ...text.password, hint: 'Leave it as it is to keep it' } }
/** The browser offers the sign-in to the panel for neither field. */
const autoComplete = { username: 'off', password: 'new-password' }

type Ask = (what: 'change' | 'remove', registry: Registry) => void

const columnsOf = (ask: Ask): readonly Column<Registry>[] => [
  {
    id: 'registry',
    title: 'Registry',
    value: ({ registry }) => registry,
    cell: ({ registry }) => (
      <Text size="sm" fw={550} className="anywhere">
        {registry}
      </Text>
    ),
  },
  {
    id: 'username',
    title: 'User name',
    value: ({ username }) => username,
    cell: ({ username }) => (
      <Text size="sm" className="anywhere">
        {username}
      </Text>
    ),
  },
  {
    id: 'actions',
    title: 'Actions',
    align: 'right',
    cell: (each) => (
      <Group gap="xs" justify="flex-end">
        <Button
          size="xs"
          variant="default"
          aria-label={`Change ${each.registry}`}
          onClick={() => ask('change', each)}
        >
          Change
        </Button>
        <CutOffButton size="xs" aria-label={`Remove ${each.registry}`} onClick={() => ask('remove', each)}>
          Remove
        </CutOffButton>
      </Group>
    ),
  },
]

/** The registries from which images are pulled with credentials. */
export function RegistriesPage() {
  const { data, ...query } = useRegistries()
  const [isAdding, setAdding] = useLinkedDialog('add')
  const [asked, setAsked] = useState<{ readonly what: 'change' | 'remove'; readonly registry: Registry }>()
  const close = () => setAsked(undefined)
  return (
    <ContainersFrame
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          Add credentials
        </Button>
      }
    >
      <DataTable
        label="Registries"
        columns={columnsOf((what, registry) => setAsked({ what, registry }))}
        query={useWholePage({ ...query, data })}
        rowKey={({ registry }) => registry}
        empty={<Empty title="No credentials yet">Registries that ask for none need none.</Empty>}
      />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {asked?.what === 'change' && <CredentialsDialog of={asked.registry} onClose={close} />}
      {asked?.what === 'remove' && <RemoveDialog of={asked.registry} onClose={close} />}
    </ContainersFrame>
  )
}

interface DialogProps {
  readonly onClose: () => void
}
interface RegistryProps extends DialogProps {
  readonly of: Registry
}

const AddDialog = ({ onClose }: DialogProps) => (
  <PlannedForm
    title="Add credentials"
    confirmLabel="Add"
    schema={RegistryForm}
    text={text}
    autoComplete={autoComplete}
    callOf={({ registry, ...body }: RegistryForm) => containers.setRegistry({ params: { registry }, body })}
    onClose={onClose}
    onDone={({ registry }: Registry) => done(onClose, `Images of ${registry} are pulled with credentials.`)}
  />
)

const CredentialsDialog = ({ of: { registry, username, password }, onClose }: RegistryProps) => (
  <PlannedForm
    title={`Change the credentials of ${registry}`}
    confirmLabel="Save"
    schema={RegistryDraft}
    text={changedText}
    autoComplete={autoComplete}
    given={{ username, password }}
    callOf={(body: RegistryDraft) => containers.setRegistry({ params: { registry }, body })}
    onClose={onClose}
    onDone={() => done(onClose, `The credentials of ${registry} were changed.`)}
  />
)

const RemoveDialog = ({ of: { registry }, onClose }: RegistryProps) => (
  <ChangeDialog
    title={`Remove the credentials of ${registry}`}
    confirmLabel="Remove"
    call={containers.removeRegistry({ params: { registry } })}
    onClose={onClose}
    onDone={() => done(onClose, `The credentials of ${registry} were removed.`)}
  >
    <Text size="sm">
      Images that are here stay; others of it can no longer be pulled where it asks for credentials.
    </Text>
  </ChangeDialog>
)

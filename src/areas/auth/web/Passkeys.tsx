import { Button, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { run } from '../../../web/client.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { canUsePasskeys, createPasskey } from '../../../web/passkeys.ts'
import { readAgain } from '../../../web/queries.ts'
import { type Passkey, PasskeyNaming } from '../passkey-model.ts'
import { auth } from './api.ts'
import { usePasskeys } from './queries.ts'

/** The passkeys of the own account. */
export function Passkeys() {
  const passkeys = useWholePage(usePasskeys())
  const [isAdding, setAdding] = useState(false)
  const [dying, setDying] = useState<Passkey>()
  const isPossible = canUsePasskeys()
  const columns: Column<Passkey>[] = [
    { id: 'name', title: 'Name', cell: (row) => <Named row={row} /> },
    { id: 'used', title: 'Last used', cell: ({ last_used }) => <Moment time={last_used} /> },
    {
      id: 'do',
      title: 'Action',
      align: 'right',
      cell: (row) => (
        <CutOffButton size="xs" aria-label={`Delete the passkey ${row.name}`} onClick={() => setDying(row)}>
          Delete
        </CutOffButton>
      ),
    },
  ]
  return (
    <Stack gap="md" align="stretch">
      <Text size="sm">
        {isPossible
          ? 'A passkey signs you in with the fingerprint, face or PIN of your device, without password and code.'
          : 'Passkeys need HTTPS and a host name: open the panel by its name to add one.'}
      </Text>
      {(passkeys.data?.total !== 0 || passkeys.error !== null) && (
        <DataTable
          label="Passkeys"
          columns={columns}
          query={passkeys}
          rowKey={({ id }) => id}
          empty={<Empty title="No passkeys" />}
        />
      )}
      {isPossible && (
        <div>
          <Button variant="default" onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        </div>
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {dying && (
        <ChangeDialog
          title={`Delete the passkey ${dying.name}`}
          confirmLabel="Delete the passkey"
          call={auth.deletePasskey({ params: { id: dying.id } })}
          onClose={() => setDying(undefined)}
          onDone={() => {
            setDying(undefined)
            notify('The passkey was deleted. Remove it from your device too.')
            return readAgain('passkeys')
          }}
        />
      )}
    </Stack>
  )
}

function Named({ row: { name, origin, is_synced: isSynced } }: { readonly row: Passkey }) {
  return (
    <>
      {name}
      <Text size="xs" c="dimmed">
        {new URL(origin).host} · {isSynced ? 'synced by its provider' : 'on one device'}
      </Text>
    </>
  )
}

const text = {
  name: { label: 'Name', hint: 'What you know it by, such as the device' },
  password: { label: 'Current password', hint: '' },
}
const autoComplete = { password: 'current-password' }

function AddPasskey({ onClose }: { readonly onClose: () => void }) {
  const add = async ({ name, password }: PasskeyNaming) => {
    const options = await run(auth.requestPasskey({ body: { password, origin: location.origin } }))
    const response = await createPasskey(options)
    if (response === undefined) throw new Error('The device has created no passkey.')
    await run(auth.addPasskey({ body: { name, response } }))
    onClose()
    notify(`The passkey ${name} signs you in from now on.`)
    await readAgain('passkeys')
  }
  return (
    <Modal opened onClose={onClose} title="Add a passkey" closeButtonProps={{ 'aria-label': 'Close' }}>
      <SchemaForm
        schema={PasskeyNaming}
        text={text}
        autoComplete={autoComplete}
        submitLabel="Continue on the device"
        onSubmit={add}
        onCancel={onClose}
      />
    </Modal>
  )
}

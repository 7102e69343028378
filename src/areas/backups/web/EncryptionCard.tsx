import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import { run } from '../../../web/client.ts'
import type { BackupKey, BackupSettings } from '../settings/model.ts'
import { backups } from './api.ts'

/** The passphrase that backups are encrypted with. */
export function EncryptionCard({ settings }: { readonly settings: BackupSettings }) {
  const [asking, setAsking] = useState<'generate' | 'disable'>()
  const [passphrase, setPassphrase] = useState<string>()
  const hasKey = settings.key_set === 1
  const show = () =>
    run(backups.getKey()).then(
      (key) => setPassphrase(key.passphrase),
      (error: unknown) => notify(textOf(error), true),
    )
  const close = () => setAsking(undefined)
  const done = (key?: Partial<BackupKey>) => {
    close()
    if (key?.passphrase !== undefined) setPassphrase(key.passphrase)
    return readAgain('backups')
  }
  return (
    <SectionCard title="Encryption">
      <Alert color={hasKey ? 'green' : 'orange'} title={hasKey ? 'Backups can be encrypted' : 'No key'}>
        {hasKey
          ? 'Keep the passphrase outside this host: without it no encrypted backup can be restored.'
          : 'Backups are not encrypted.'}
      </Alert>
      <Group mt="md">
        <Button onClick={() => setAsking('generate')}>{hasKey ? 'Replace the key' : 'Generate a key'}</Button>
        {hasKey && (
          <>
            <Button variant="default" onClick={() => void show()}>
              Show the passphrase
            </Button>
            <Button variant="light" color="red" onClick={() => setAsking('disable')}>
              Disable encryption
            </Button>
          </>
        )}
      </Group>
      {asking === 'generate' && (
        <ChangeDialog
          title="Generate an encryption key"
          confirmLabel="Generate the key"
          call={backups.generateKey()}
          onClose={close}
          onDone={done}
        >
          <Text size="sm">Earlier encrypted backups still need the former passphrase.</Text>
        </ChangeDialog>
      )}
      {asking === 'disable' && (
        <ChangeDialog
          title="Disable encryption"
          confirmLabel="Forget the key"
          call={backups.disableEncryption()}
          onClose={close}
          onDone={() => done()}
        />
      )}
      {passphrase !== undefined && (
        <OnceShownDialog
          title="Passphrase of the backups"
          label="passphrase"
          secret={passphrase}
          fileName="backup-passphrase.txt"
          onClose={() => setPassphrase(undefined)}
        />
      )}
    </SectionCard>
  )
}

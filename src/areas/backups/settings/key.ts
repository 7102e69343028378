import { randomInt } from 'node:crypto'
import { type Change, change } from '../../../core/change.ts'
import { success } from '../../../core/reply.ts'
import type { BackupsArea } from '../context.ts'
import type { BackupKey } from './model.ts'
import { KeyMissing } from './problems.ts'
import { settingsLock, settingsRow } from './settings.ts'

const length = 32
const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

const newPassphrase = () => Array.from({ length }, () => characters[randomInt(characters.length)]).join('')

/** Replaces the key by a new one, and has backups encrypted with it from now on. */
export async function generateKey(on: BackupsArea): Promise<Change<BackupKey>> {
  const row = await on.row()
  const passphrase = newPassphrase()
  return change({
    summary: 'Generate a key that backups are encrypted with',
    locks: [settingsLock],
    rows: [
      settingsRow(row, {
        ...row,
        sealed_passphrase: on.store.seal(passphrase),
        local_encrypt: 1,
        remote_encrypt: 1,
      }),
    ],
    reply: { passphrase },
  })
}

/** Returns the stored key. */
export async function readKey({ key }: BackupsArea): Promise<BackupKey> {
  const passphrase = await key.passphrase()
  if (passphrase === undefined) throw KeyMissing()
  return { passphrase }
}

/** Forgets the key; backups that were encrypted with it still need it. */
export async function disableEncryption(on: BackupsArea): Promise<Change<{ success: true }>> {
  const row = await on.row()
  return change({
    summary: 'Forget the key that backups are encrypted with',
    locks: [settingsLock],
    rows: [settingsRow(row, { ...row, sealed_passphrase: '', local_encrypt: 0, remote_encrypt: 0 })],
    reply: success,
  })
}

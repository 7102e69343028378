import type { MailboxBackup } from '../parts.ts'
import { MailboxMissing } from '../problems.ts'
import type { StoredSettings } from '../settings/stored.ts'
import { type Archive, openArchive } from './archive.ts'
import { type Place, placeOf } from './place.ts'

/** The backup of a mailbox while it is read. */
export interface Reading {
  readonly archive: Archive
  readonly place: Place
  readonly settings: StoredSettings
}

/** Reads the database of a mailbox; throws MailboxMissing where there is none, ArchiveFailed where it is damaged. */
export async function readArchive<Value>(
  on: Pick<MailboxBackup, 'settings' | 'files'>,
  email: string,
  read: (reading: Reading) => Promise<Value> | Value,
): Promise<Value> {
  const settings = await on.settings.read()
  const place = placeOf(settings.dataDir, email)
  if ((await on.files.facts(place.database))?.kind !== 'file')
    throw MailboxMissing(`email: there is no backup of ${email.slice(0, 254)}`)
  const archive = openArchive(on.files.real(place.database))
  try {
    return await read({ archive, place, settings })
  } finally {
    archive.close()
  }
}

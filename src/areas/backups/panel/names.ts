import { NameForbidden } from './problems.ts'

export type BackupType = 'full' | 'db'

const ending = /\.(?:db|tar\.gz)(?:\.gpg)?$|\.gpg$/
const plain = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/

/** True for a name that a backup of the panel may have. */
export const isBackupName = (name: string): boolean =>
  plain.test(name) && !name.includes('..') && ending.test(name)

export const isEncrypted = (name: string): boolean => name.endsWith('.gpg')

/** Returns whether a backup contains the database alone. */
export const typeOf = (name: string): BackupType => (/\.db(?:\.gpg)?$/.test(name) ? 'db' : 'full')

/** Returns the name of a backup that is made now. */
export function nameOf(kind: 'panel' | 'auto' | 'before-restore', type: BackupType, now: Date): string {
  const at = now.toISOString().replaceAll(/[-:.]/g, '')
  return `${kind}-${at}${type === 'db' ? '.db' : '.tar.gz'}`
}

/** Throws for a name that leads to another folder. */
export function assertPlain(name: string): void {
  if (/[/\\\0]/.test(name) || name.includes('..')) throw NameForbidden()
}

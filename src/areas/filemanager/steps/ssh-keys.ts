import { type Owner, pathBytes } from '../../../host/owner/index.ts'
import type { TextPath } from '../paths.ts'
import { entryAt } from './existing-entry.ts'

interface ModeChange {
  readonly path: TextPath
  readonly mode: number
  readonly recursive: boolean
  readonly only?: 'files' | 'folders'
}

const keysFile = '.ssh/authorized_keys'
/** What sshd compares with StrictModes. */
const onTheWay: Readonly<Record<string, string>> = {
  '': 'the home',
  '.ssh': '~/.ssh',
  [keysFile]: `~/${keysFile}`,
}

/** Returns what a change of modes means to the SSH keys in a home, which sshd refuses where others may write to them. */
export async function effectOnKeys(owner: Owner, change: ModeChange): Promise<readonly string[]> {
  const at = Buffer.from(pathBytes(change.path)).toString('latin1').replace(/\/+$/, '')
  const name = onTheWay[at]
  if (name === undefined || (await entryAt(owner, { field: 'path', path: keysFile })) === undefined) return []
  const { mode, recursive, only } = change
  const isItselfChanged = !(recursive && only === 'files') || at === keysFile
  return [
    ...(recursive && at === ''
      ? ['Leaves ~/.ssh as it is: sshd accepts keys only where nobody else may write']
      : []),
    ...(isItselfChanged && (mode & 0o022) !== 0
      ? [
          `Others may then write to ${name}: sshd refuses the SSH keys of the account; ${(mode & ~0o022).toString(8)} does not break them`,
        ]
      : []),
  ]
}

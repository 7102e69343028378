import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from '../confinement.ts'
import { openOwners, type Owners, type OwnersOptions } from '../owners.ts'

/** The reason why tests that need other uids are skipped; false if they run. */
export const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids in namespaces'

/** Homes of two accounts in a temporary root, and access to them; `remove` ends and deletes everything. */
export interface Bench {
  readonly root: string
  readonly alice: Account
  readonly bob: Account
  readonly owners: Owners
  account(name: string, uid: number): Account
  remove(): Promise<void>
}

/** Creates a bench. The uids need no entry in the password file. */
export function makeBench(options: OwnersOptions = {}): Bench {
  const root = mkdtempSync(join(tmpdir(), 'owner-'))
  chmodSync(root, 0o755)
  const account = (name: string, uid: number): Account => {
    const home = join(root, name)
    mkdirSync(home)
    chownSync(home, uid, uid)
    return { name, uid, gid: uid, home }
  }
  const owners = openOwners(options)
  return {
    root,
    owners,
    account,
    alice: account('alice', 61_001),
    bob: account('bob', 61_002),
    remove: async () => {
      await owners.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Runs a program as the account would, outside the confinement. */
export function asOwner(account: Account, ...argv: string[]): string {
  return execFileSync(
    'setpriv',
    [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', ...argv],
    {
      cwd: account.home,
      encoding: 'utf8',
      timeout: 20_000,
    },
  )
}

/** Kills the helper under the owner's uid, as the owner can do at any time. */
export function killConfined(uid: number): void {
  for (const pid of confinedPids(uid)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it has already ended
    }
  }
}

/** The helpers of a uid that this process started; other runs of these tests have the same uids. */
export function confinedPids(uid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const message = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, 5).join(' ')
        return statSync(`/proc/${pid}`).uid === uid && /main\.ts|taken\.mjs/.test(message) && isOurs(pid)
      } catch {
        return false // it has already ended
      }
    })
}

/** True for a process that this one started, however indirectly: another process of tests may use the same uid. */
export function isOurs(pid: number): boolean {
  const parent = Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return parent === process.pid || (parent > 1 && isOurs(parent))
}

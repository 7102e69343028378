import { chownSync, chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  openTestPanel,
  type Person,
  type TestPanel,
  type TestPanelOptions,
} from '../../../../test/support/panel.ts'

/** A panel whose hosting users have real homes and uids, but no entries in the password file. */
export interface FilesBench {
  readonly panel: TestPanel
  readonly alice: Person
  /** Returns a path in the home of alice. */
  at(...parts: string[]): string
  get(verb: string, query?: Readonly<Record<string, string>>): ReturnType<TestPanel['request']>
  post(verb: string, body: object): ReturnType<TestPanel['request']>
  remove(): Promise<void>
}

export const aliceUid = 61_021

/** Opens the bench; `alice` and `bob` may work on their websites' files. Needs root. */
export async function openFilesBench(options: TestPanelOptions = {}): Promise<FilesBench> {
  const root = mkdtempSync(join(tmpdir(), 'files-'))
  chmodSync(root, 0o755)
  const accounts = new Map(
    ['alice', 'bob'].map((name, at) => [name, { uid: aliceUid + at, home: join(root, name) }] as const),
  )
  for (const { home, uid } of accounts.values()) {
    mkdirSync(home)
    chownSync(home, uid, uid)
  }
  const panel = await openTestPanel({ ...options, accounts })
  await panel.start() // jobs carry out the long work
  const alice = await panel.person({ username: 'alice', permissions: ['websites_management'] })
  await panel.person({ username: 'bob', permissions: ['websites_management'] })
  return {
    panel,
    alice,
    at: (...parts) => join(root, 'alice', ...parts),
    get: (verb, query = {}) =>
      panel.request(
        'GET',
        `/api/filemanager/${verb}?${new URLSearchParams({ username: 'alice', ...query })}`,
        { as: alice },
      ),
    post: (verb, body) =>
      panel.request('POST', `/api/filemanager/${verb}`, { as: alice, body: { username: 'alice', ...body } }),
    remove: async () => {
      await panel.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

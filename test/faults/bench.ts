import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import { scriptAccounts } from '../../src/host/testing/scripted-host.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { type InterceptedWrites, interceptWrites } from './intercepted-writes.ts'

/** A panel that is closed or killed, and reopened on the same host folder. */
export interface FaultBench {
  readonly panel: TestPanel
  /** A panel user that exists each time the same folder is opened. */
  readonly subjectId: number
  readonly writes: InterceptedWrites
  /** Accounts of the host. */
  readonly accounts: ReadonlyMap<string, unknown>
  /** Returns the text of a file of the host; undefined if it does not exist. */
  read(path: string): string | undefined
  /** The home of the hosting user `ada`; it is real. */
  readonly home: string
  close(): Promise<void>
}

/** Creates the folder of a host. */
export function makeHost(): string {
  const directory = mkdtempSync(`${tmpdir()}/hostreeve-faults-`)
  chmodSync(directory, 0o755) // the owners of homes come by here
  const home = `${directory}/ada`
  mkdirSync(home)
  chownSync(home, adaUid, adaUid)
  for (const path of ['root/etc/haproxy', 'root/usr/sbin', 'data'])
    mkdirSync(`${directory}/${path}`, { recursive: true })
  writeFileSync(`${directory}/root/usr/sbin/haproxy`, '')
  writeFileSync(`${directory}/root/etc/haproxy/haproxy.cfg`, 'defaults\n  mode http\n')
  writeFileSync(`${directory}/accounts.json`, '[]')
  return directory
}

/** Copies the current folder of a host, as a panel that is killed at this moment would leave it. */
export function copyHost(directory: string, copy: string): void {
  execFileSync('cp', ['--archive', '--', directory, copy])
}

const adaUid = 61_121

/** Opens the panel of such a host. */
export async function openFaultBench(directory: string): Promise<FaultBench> {
  const accounts = keptAccounts(directory)
  const writes = interceptWrites(`${directory}/data/hostreeve.db`)
  const root = `${directory}/root`
  const panel = await openTestPanel({
    root,
    dataDir: `${directory}/data`,
    hasNginx: true,
    accounts,
    scripts: [scriptHaproxy, scriptLinks, scriptHomes(`${root}/home`), scriptAccounts(accounts)],
  })
  const find = (email: string) =>
    panel.store.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  const subjectId = (await find('subject@example.com'))?.id
  if (subjectId === undefined) await panel.person({ username: 'ada', permissions: ['websites_management'] })
  const read = (path: string) =>
    existsSync(`${root}${path}`) ? readFileSync(`${root}${path}`, 'utf8') : undefined
  return {
    panel,
    subjectId: subjectId ?? (await panel.person({ email: 'subject@example.com' })).id,
    writes,
    accounts,
    read,
    home: `${directory}/ada`,
    close: () => panel.close().finally(writes.end),
  }
}

type Accounts = Map<string, { uid: number; home?: string }>

/** Accounts in a file, as a real host keeps them when the panel is killed. */
function keptAccounts(directory: string): Accounts {
  const file = `${directory}/accounts.json`
  const accounts: Accounts = new Map(JSON.parse(readFileSync(file, 'utf8')))
  accounts.set('ada', { uid: adaUid, home: `${directory}/ada` }) // also in a copy
  const keep = <Value>(value: Value): Value => {
    writeFileSync(file, JSON.stringify([...accounts]))
    return value
  }
  const { set, delete: remove } = accounts
  accounts.set = (...entry) => keep(set.apply(accounts, entry))
  accounts.delete = (name) => keep(remove.call(accounts, name))
  return accounts
}

const scriptHaproxy: Script = ([program, ...args]) =>
  program !== 'haproxy'
    ? undefined
    : args[0] === '-v'
      ? { stdout: 'HAProxy version 2.6.12-1+deb12u4 2026/10/17 - https://haproxy.org/\n' }
      : { stdout: 'Configuration file is valid\n' }

/** The links in homes are real. */
const scriptLinks: Script = ([program, ...args]) => {
  if (program !== 'ln' && program !== 'find') return undefined
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return { code: status ?? 1, stdout, stderr }
}

/** The home is removed with its account; the next script handles the account itself. */
function scriptHomes(homes: string): Script {
  return (argv) => {
    if (argv[0] === 'userdel' && argv.includes('--remove'))
      rmSync(`${homes}/${argv.at(-1)}`, { recursive: true, force: true })
    return undefined
  }
}

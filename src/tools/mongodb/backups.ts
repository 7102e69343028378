import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import type { Files } from '../../host/files.ts'
import type { Run, RunResult } from '../../host/run.ts'
import { credentialsPath, panelAccount } from './credentials.ts'
import { DumpFailed } from './problems.ts'

/** The folder of the backups; only root can read it. */
export const backupRoot = '/var/backups/hostreeve/mongodb'

/** Where backups are made and read. */
export interface BackupParts {
  readonly run: Run
  readonly files: Files
  /** The port of the server. */
  readonly port: () => Promise<number>
}

/** A backup of all databases. */
interface Backup {
  readonly name: string
  readonly sizeBytes: number
}

interface BackupArgs {
  readonly name: string
}

const limitMs = 12 * 3_600_000
const backupName = /^\d{4}-\d{2}-\d{2}_\d{6}(?:-\d{3})?(?:-before-restore)?$/

/** True if backups are named like this; such a name is no path. */
export const isBackupName = (name: string): boolean => backupName.test(name)

/** The name of a backup that begins now, in UTC with milliseconds: `2026-11-28_133000-123`. */
export const backupNameOf = (now: Date, suffix: '' | '-before-restore' = ''): string =>
  now.toISOString().slice(0, 23).replaceAll(':', '').replace('T', '_').replace('.', '-') + suffix

export const pathOf = (name: string): string => `${backupRoot}/${name}`

/** Present while the databases are replaced after a safety backup, and afterwards with another content. */
export const restoreMarkOf = (safety: string): string => `${backupRoot}/.${safety}.restore`
const partialPathOf = (name: string): string => `${backupRoot}/.${name}.part`

/** The options by which the tools of MongoDB reach the server as the account of the panel; the file has the password. */
export const clientOptions = (files: Files, port: number): readonly string[] => [
  '--host=127.0.0.1',
  `--port=${port}`,
  `--username=${panelAccount}`,
  '--authenticationDatabase=admin',
  '--authenticationMechanism=SCRAM-SHA-256',
  `--config=${files.real(credentialsPath)}`,
]

/** Lists the backups, the newest first. */
export async function listBackups(files: Files, most: number): Promise<readonly Backup[]> {
  const names = await listBackupNames(files)
  return Promise.all(
    names.slice(0, most).map(async (name) => ({ name, sizeBytes: await sizeOf(files, pathOf(name)) })),
  )
}

/** Lists the names of all backups, the newest first. */
export async function listBackupNames(files: Files): Promise<readonly string[]> {
  return (await files.list(backupRoot)).filter(isBackupName).toReversed()
}

async function sizeOf(files: Files, path: string): Promise<number> {
  const facts = await files.facts(path)
  if (facts?.kind !== 'directory') return facts?.sizeBytes ?? 0
  let sum = 0
  for (const name of await files.list(path)) sum += await sizeOf(files, `${path}/${name}`)
  return sum
}

/** Lists the databases of a backup, without those of the server itself. */
export async function databasesOf(files: Files, name: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const database of await files.list(pathOf(name)))
    if (
      !ownDatabases.has(database) &&
      (await files.facts(`${pathOf(name)}/${database}`))?.kind === 'directory'
    )
      found.push(database)
  return found
}

/** The databases of the server itself, which no backup restores: accounts, and what belongs to one host. */
export const ownDatabases: ReadonlySet<string> = new Set(['admin', 'config', 'local'])

/** The step that writes a backup of all databases; its folder is whole or not there. */
export function dumpAll(on: BackupParts): StepKind<BackupArgs, null, null> {
  const { files } = on
  const isThere = async ({ name }: BackupArgs) => (await files.facts(pathOf(name))) !== undefined
  return {
    name: 'mongodb.dump',
    plan: async ({ name }) => ({
      title: `Write a backup of all databases of MongoDB to ${pathOf(name)}`,
      commands: [await dumpArgv(on, pathOf(name))],
    }),
    observe: async (args) => {
      if (await isThere(args)) throw DumpFailed(`${pathOf(args.name)} exists already`)
      return null
    },
    act: async (args, { signal }) => {
      const partial = partialPathOf(args.name)
      if (await isThere(args)) return null
      await files.removeTree(partial)
      await files.makeDirectory(backupRoot, { mode: 0o700 })
      await files.makeDirectory(partial, { mode: 0o700 })
      const result = await on.run(await dumpArgv(on, files.real(partial)), { timeoutMs: limitMs, signal })
      if (result.code !== 0) throw DumpFailed(`MongoDB: ${lastLines(result)}`)
      await files.move(partial, pathOf(args.name))
      return null
    },
    undo: async ({ name }) => {
      await files.removeTree(partialPathOf(name))
      await files.removeTree(pathOf(name))
    },
    notUndone: 'it is a copy: delete the backup instead',
    check: async (args) => {
      if (await isThere(args)) return 'wanted'
      return (await files.facts(partialPathOf(args.name))) === undefined ? 'before' : 'other'
    },
  }
}

const dumpArgv = async (
  { files, port }: BackupParts,
  path: string,
): Promise<readonly [string, ...string[]]> => [
  'mongodump',
  ...clientOptions(files, await port()),
  '--gzip',
  `--out=${path}`,
]

/** What a tool of MongoDB printed last: it logs to standard error, each line with a time. */
export function lastLines({ stderr, code }: RunResult): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.replace(/^\d{4}-\d\d-\d\dT\S+\s+/, '').trim())
    .filter((line) => line !== '')
  return lines.slice(-5).join('\n').slice(-2000) || `it ended with exit status ${code}`
}

/** The step that removes a backup. It is renamed first: from then on it is no backup any more. */
export function removeBackup(files: Files): StepKind<BackupArgs, null, null> {
  return finalStep<BackupArgs>({
    name: 'mongodb.remove-backup',
    plan: ({ name }) => ({ title: `Remove the backup ${name} of MongoDB` }),
    why: 'the backup is gone',
    act: async ({ name }) => {
      if ((await files.facts(pathOf(name))) !== undefined) await files.move(pathOf(name), partialPathOf(name))
      await files.removeTree(partialPathOf(name))
      await files.remove(restoreMarkOf(name))
      return null
    },
    isDone: async ({ name }) => {
      if ((await files.facts(pathOf(name))) !== undefined) return false
      return (await files.facts(partialPathOf(name))) === undefined ? true : undefined
    },
  })
}

import type { StepKind, StepRun } from '../../core/change.ts'
import { problem } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { identifier, sql, type SqlConnection } from '../../host/apply/steps.ts'
import type { Files } from '../../host/files.ts'
import type { RunResult } from '../../host/run.ts'
import { DatabaseExists, encodingIn, type Encoding } from './databases.ts'
import type { Pour } from './pour.ts'

export const CopyFailed = problem('copy_failed', 500, 'The database could not be copied')

interface CopyArgs extends Encoding {
  readonly source: string
  readonly name: string
  /** Marks the copy on the server, as one that this step has made. */
  readonly label: string
  /** The account of the copy at localhost, with the password that it has while the copy is made. */
  readonly username: string
  readonly password: string
}

interface CopyState extends Encoding {
  readonly label: string
  /** Absent while tables are being copied. */
  readonly isComplete?: true
}

/** The parts of the host that make a copy. */
export interface Copying {
  readonly connection: SqlConnection
  readonly pour: Pour
  readonly files: Pick<Files, 'real' | 'write' | 'remove'>
  readonly socketPath: string
}

/**
 * The step that makes a copy of a database, from one consistent state of its tables, with views, routines, triggers and
 * events. The copy is loaded by an account that has rights on the copy alone: what a dump contains was written by its owner.
 */
export function copyDatabase(on: Copying): StepKind<CopyArgs, Was<CopyState>, null> {
  return {
    ...stateStep<CopyArgs, CopyState>({
      name: 'mariadb.copy-database',
      plan: ({ source, name }) => ({
        title: `Create the database ${name} in MariaDB as a copy of ${source}`,
        commands: [dumpArgv(on, source)],
      }),
      read: ({ name }) => readCopy(on, name),
      wanted: ({ charset, collation, label }) => ({ charset, collation, label, isComplete: true }),
      refuse: ({ name, label }, now) => {
        if (now !== undefined && now.label !== label)
          throw DatabaseExists(`name: ${name} exists on the server`)
      },
      write: async (args, state, { run }) => {
        await on.files.remove(optionFile(args.name))
        await on.connection.run(sql`drop database if exists ${identifier(args.name)}`)
        if (state !== undefined && run !== undefined) await makeCopy(on, args, run)
      },
    }),
    notUndone: 'the copy may have other rows by now: delete it instead',
  }
}

const underWay = 'is being copied by the panel: '
const complete = 'was copied by the panel: '

async function readCopy({ connection }: Copying, name: string): Promise<CopyState | undefined> {
  const [row] = await connection.run(
    sql`select default_character_set_name charset, default_collation_name collation, schema_comment comment
      from information_schema.schemata where schema_name = ${name}`,
  )
  if (row === undefined) return undefined
  const comment = String(row['comment'])
  const label = [underWay, complete].reduce((text, prefix) => text.replace(prefix, ''), comment)
  return { ...encodingIn(row), label, ...(comment.startsWith(complete) && { isComplete: true }) }
}

async function makeCopy(
  on: Copying,
  args: CopyArgs,
  running: Pick<StepRun<unknown>, 'signal' | 'progress'>,
): Promise<void> {
  const { name, charset, collation, label, password } = args
  await on.connection.run(
    sql`create database ${identifier(name)} character set ${charset} collate ${collation} comment ${underWay + label}`,
  )
  await trustRoutines(on)
  const file = optionFile(name)
  await on.files.write(file, `[client]\npassword=${password}\n`, { rights: { mode: 0o600 } })
  try {
    assertCopied(
      await on.pour([dumpArgv(on, args.source), loadArgv(on, args.username, name)], {
        signal: running.signal,
        onSize: (mebibytes) => running.progress(null, `${mebibytes} MiB are copied`),
      }),
    )
  } finally {
    await on.files.remove(file)
  }
  await on.connection.run(sql`alter database ${identifier(name)} comment ${complete + label}`)
}

/** With a binary log, only accounts that administer the server may create triggers and functions, unless it trusts them. */
async function trustRoutines({ connection }: Copying): Promise<void> {
  const [row] = await connection.run(sql`select @@log_bin has_log, @@log_bin_trust_function_creators trusts`)
  if (Number(row?.['has_log']) === 1 && Number(row?.['trusts']) === 0)
    await connection.run(sql`set global log_bin_trust_function_creators = 1`)
}

const optionFile = (name: string): string => `/root/.hostreeve-copy-${name}.cnf`

const stopped = 124

/** The one that failed by itself tells why; the other was stopped. */
function assertCopied(results: readonly RunResult[]): void {
  const failed = results.filter(({ code }) => code !== 0)
  const first = failed.find(({ code }) => code !== stopped) ?? failed[0]
  if (first === undefined) return
  throw CopyFailed(
    first.code === stopped ? 'The copy was broken off' : `MariaDB: ${first.stderr.trim().slice(0, 2000)}`,
  )
}

/** Comments are left out: they contain names, and a name may contain a line break. */
const dumpArgv = ({ socketPath }: Copying, source: string): readonly [string, ...string[]] => [
  'mariadb-dump',
  '--no-defaults',
  '--user=root',
  `--socket=${socketPath}`,
  '--single-transaction',
  '--routines',
  '--triggers',
  '--events',
  '--hex-blob',
  '--skip-comments',
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=1G',
  '--',
  source,
]

/** In the sandbox and in binary mode, the client runs no command that the dump contains. */
const loadArgv = (
  { socketPath, files }: Copying,
  username: string,
  name: string,
): readonly [string, ...string[]] => [
  'mariadb',
  `--defaults-file=${files.real(optionFile(name))}`,
  `--user=${username}`,
  `--socket=${socketPath}`,
  '--batch',
  '--sandbox',
  '--binary-mode',
  '--local-infile=0',
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=1G',
  '--',
  name,
]

import type { StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import { Problem } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import { ConfigRejected, ReloadFailed } from '../../host/apply/problems.ts'
import { identifier, sql, type SqlConnection } from '../../host/apply/steps.ts'
import { connectProblems } from '../../host/connect/index.ts'
import type { Host } from '../../host/index.ts'
import { ServiceFailed } from '../../host/services.ts'
import { checkCommand, isSameValue, readConfigured } from './configured.ts'
import { optionIn, withOption } from './option-file.ts'
import { readRunning } from './variables.ts'

/** The file of the panel: the directory is read in the order of names, and the last value counts. */
export const optionsPath = '/etc/mysql/mariadb.conf.d/99-hostreeve.cnf'

/** Options with their values as they are written; null where the file does not mention them. */
export type Options = Readonly<Record<string, string | null>>

interface SetOptionsArgs {
  readonly options: Options
}

/** Options that a running server takes; any other needs a restart. */
const dynamic = new Set([
  'innodb_buffer_pool_size',
  'long_query_time',
  'max_connections',
  'max_heap_table_size',
  'read_only',
  'slow_query_log',
  'slow_query_log_file',
  'table_open_cache',
  'thread_cache_size',
  'tmp_table_size',
])

/** True if the option is set without a restart. */
export const isDynamic = (name: string): boolean => dynamic.has(name)

interface Parts {
  readonly host: Pick<Host, 'files' | 'run' | 'services'>
  readonly connection: SqlConnection
  readonly service: string
}

/** The step that sets options of the server in the panel's file and has the server use them. The server itself reads the file before. */
export function setOptions(parts: Parts): StepKind<SetOptionsArgs, Was<Options>, null> {
  const { files } = parts.host
  const text = async () => (await files.read(optionsPath)) ?? ''
  return stateStep<SetOptionsArgs, Options>({
    name: 'mariadb.set-options',
    plan: async ({ options }) => ({
      title: `Set ${Object.keys(options).join(', ')} of MariaDB`,
      files: [diffOf(await text(), options)],
      commands: [checkCommand],
      ...(Object.keys(options).every(isDynamic)
        ? { details: ['The running server takes the values without a restart'] }
        : { reloads: ['mariadb'], details: ['The server restarts, and clients lose their connections'] }),
    }),
    preview: async ({ options }) => refusalOf(parts, withOptions(await text(), options), options),
    read: async ({ options }) => {
      const now = await text()
      return Object.fromEntries(Object.keys(options).map((name) => [name, optionIn(now, name) ?? null]))
    },
    wanted: ({ options }) => options,
    isInEffect: (args) => isInEffect(parts, Object.keys(args.options)),
    write: async (_args, options = {}) => {
      const [now, wanted] = [await text(), withOptions(await text(), options)]
      if (now !== wanted) await replace(parts, wanted, options)
      await assertConfigured(parts, options)
      await load(parts, Object.keys(options))
    },
  })
}

const withOptions = (text: string, options: Options): string =>
  Object.entries(options).reduce((edited, [name, value]) => withOption(edited, name, value), text)

const diffOf = (text: string, options: Options) => ({
  path: optionsPath,
  diff: unifiedDiff(optionsPath, text, withOptions(text, options)),
})

async function replace({ host: { files, run } }: Parts, text: string, options: Options): Promise<void> {
  if (text === '') return files.remove(optionsPath)
  const prepared = await files.prepare(optionsPath, text)
  try {
    const { values, warnings } = await readConfigured(run, prepared.preparedPath)
    assertTaken(values, options, warnings.join('\n'))
    await prepared.commit()
  } catch (error) {
    await prepared.discard()
    throw error
  }
}

async function refusalOf({ host: { files, run } }: Parts, text: string, options: Options) {
  const prepared = await files.prepare(optionsPath, text)
  try {
    const { values, warnings } = await readConfigured(run, prepared.preparedPath)
    assertTaken(values, options, warnings.join('\n'))
    return {}
  } catch (error) {
    if (error instanceof Problem && error.kind === ConfigRejected) return { refused: error.message }
    throw error
  } finally {
    await prepared.discard()
  }
}

/** Refuses before a restart what another file overrides. */
async function assertConfigured({ host: { run } }: Parts, options: Options): Promise<void> {
  const { values } = await readConfigured(run)
  assertTaken(values, options, `another file that the server reads after ${optionsPath} sets it`)
}

/** The dry run has the panel's limit of open files, which lowers the number of connections: the service has its own. */
const limited = new Set(['max_connections', 'table_open_cache', 'open_files_limit'])

function assertTaken(values: ReadonlyMap<string, string>, options: Options, why: string): void {
  for (const [name, value] of Object.entries(options)) {
    const now = values.get(name)
    if (value === null || now === undefined || isSameValue(value, now)) continue
    const isLowered = limited.has(name) && Number(now) < Number(value) && !why.includes(`'${name}'`)
    if (!isLowered) throw ConfigRejected(`${name}: the server reads ${now} instead of ${value}: ${why}`)
  }
}

/** What the running server shows for an option, where that is not its value. */
function asRunning(name: string, value: string): string {
  if (name === 'log_bin') return value === '' ? 'OFF' : 'ON'
  return name === 'slave_skip_errors' && value === '' ? 'OFF' : value
}

/** True if the server runs with what its files say, or was stopped on purpose and will read them. */
async function isInEffect(parts: Parts, names: readonly string[]): Promise<boolean> {
  const { host, service } = parts
  if (!(await host.services.status(service)).active) return host.services.isStoppedOnPurpose(service)
  return (await differing(parts, names)).length === 0
}

interface Difference {
  readonly name: string
  readonly wanted: string
  /** Absent while the server does not answer. */
  readonly now?: string
}

/** The options that the server does not run with: the panel's file says what is wanted, otherwise the dry run. */
async function differing({ host, connection }: Parts, names: readonly string[]): Promise<Difference[]> {
  const text = (await host.files.read(optionsPath)) ?? ''
  const missing = names.some((name) => optionIn(text, name) === undefined)
  const configured = missing ? (await readConfigured(host.run)).values : undefined
  const running = await readRunning(connection, names).catch(unreachable)
  return names.flatMap((name) => {
    const wanted = optionIn(text, name) ?? configured?.get(name) ?? ''
    const now = running?.get(name)
    if (now === undefined) return running === undefined ? { name, wanted } : []
    return isSameValue(asRunning(name, wanted), now) ? [] : { name, wanted, now }
  })
}

function unreachable(error: unknown): undefined {
  if (error instanceof Problem && error.kind === connectProblems.NotAnswering) return undefined
  throw error
}

const limitMs = 60_000
const everyMs = 100

/** Has the server use what its files say; one that was stopped on purpose reads them when it starts. */
async function load(parts: Parts, names: readonly string[]): Promise<void> {
  const { services } = parts.host
  if (await services.isStoppedOnPurpose(parts.service)) return
  const differences = await differing(parts, names)
  if (differences.every(({ name, now }) => isDynamic(name) && now !== undefined))
    for (const { name, wanted } of differences)
      await parts.connection.run(sql`set global ${identifier(name)} = ${literalOf(wanted)}`)
  else await restart(parts)
  let left = differences
  const isLoaded = await poll(
    async () => {
      left = await differing(parts, names)
      return left.length === 0 || undefined
    },
    { limitMs: left.every(({ now }) => now !== undefined) ? settleMs : limitMs, everyMs },
  )
  if (isLoaded) return
  const seen = left.map(({ name, wanted, now = 'nothing' }) => `${name} = ${now} instead of ${wanted}`)
  throw ReloadFailed(`the server runs with ${seen.join(', ')}`)
}

/** A buffer pool is resized in the background. */
const settleMs = 10_000

const literalOf = (value: string): string | number => (/^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value)

/** Restarts the service; a failure quotes what the server logged. */
async function restart({ host: { run, services }, service }: Parts): Promise<void> {
  const since = Math.floor(Date.now() / 1000)
  // systemd refuses a start after several in a short time, and the former file must come into effect again
  await run(['systemctl', 'reset-failed', '--', `${service}.service`], { timeoutMs: 10_000 })
  try {
    await services.act(service, 'restart')
  } catch (error) {
    if (!(error instanceof Problem && error.kind === ServiceFailed)) throw error
    const journal = [
      'journalctl',
      `--unit=${service}`,
      `--since=@${since}`,
      '--output=cat',
      '--no-pager',
    ] as const
    const { stdout } = await run(journal, { timeoutMs: 10_000, maxBytes: 256 * 1024 })
    const errors = stdout.split('\n').filter((line) => line.includes('[ERROR]'))
    throw ReloadFailed([error.message, ...errors].join('\n').slice(0, 2000))
  }
}

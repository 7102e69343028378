import { logPriorities, type LogPriority, type LogSource } from '../../core/log-line.ts'
import { NotFound, Unavailable } from '../../core/problem.ts'
import type { Files } from '../files.ts'
import type { Follow } from '../follow.ts'

/** One line of a log. */
export interface LogLine {
  /** Its time in microseconds since 1970; undefined in a file. */
  readonly timeUs: number | undefined
  readonly priority: LogPriority | null
  readonly pid: number | null
  readonly message: string
}

export interface LogOptions {
  /** Default: the journal where systemd runs, otherwise a file. */
  readonly source?: LogSource | undefined
  /** How many of the last lines are read first. */
  readonly lines: number
  readonly isFollowing: boolean
  /** Only lines of this severity, or more severe ones. */
  readonly priority?: LogPriority | undefined
  readonly since?: Date | undefined
  /** Only lines after this time, in microseconds since 1970. */
  readonly afterUs?: number | undefined
  readonly signal: AbortSignal
}

const followedMs = 12 * 3_600_000
/** Of an entry as JSON, where a message that is no UTF-8 takes four times its size. */
const maxLineBytes = 512 * 1024
const longestMessage = 64_000

type Argv = readonly [string, ...string[]]

/** Opens the logs of services: the journal, or files in /var/log. */
export function openServiceLogs(
  follow: Follow,
  files: Files,
): (name: string, options: LogOptions) => AsyncIterable<LogLine> {
  return async function* logs(name, options) {
    const isJournal = options.source ? options.source === 'journal' : await hasSystemd(files)
    const argv = isJournal
      ? journalArgv(name, options, (await files.read('/etc/machine-id'))?.trim())
      : tailArgv(await fileOf(files, name), options)
    const { lines, result } = follow(argv, { timeoutMs: followedMs, maxLineBytes, signal: options.signal })
    for await (const text of lines) {
      const line = isJournal ? parseEntry(text) : { ...unknown, message: text }
      if (line === undefined) continue
      if (options.afterUs === undefined || (line.timeUs ?? Infinity) > options.afterUs) yield line
    }
    const { code, stderr } = await result
    if (code !== 0 && code !== 124)
      throw Unavailable(`the log cannot be read: ${stderr.trim().slice(0, 500) || `exit status ${code}`}`)
  }
}

const hasSystemd = async (files: Files): Promise<boolean> =>
  (await files.facts('/run/systemd/system'))?.kind === 'directory'

/**
 * `--follow` alone implies `--boot`: the lines before the last start of the host would be missing, and where /proc has
 * another boot id than journald saw (a container whose panel has a /proc of its own) all of them. `--merge` lifts that;
 * it also reads what other hosts have sent, hence the machine id.
 */
function journalArgv(
  name: string,
  { lines, isFollowing, priority, since, afterUs }: LogOptions,
  machineId: string | undefined,
): Argv {
  const fromMs = afterUs === undefined ? since?.getTime() : afterUs / 1000
  return [
    'journalctl',
    '--output=json',
    '--output-fields=MESSAGE,PRIORITY,_PID',
    '--no-pager',
    '--quiet',
    '--all', // otherwise a field above 4096 bytes is null
    `--unit=${/\.(service|socket|timer)$/.test(name) ? name : `${name}.service`}`,
    `--lines=${lines}`,
    ...(isFollowing ? ['--follow', '--merge'] : []),
    ...(priority === undefined ? [] : [`--priority=${priority}`]),
    ...(fromMs === undefined ? [] : [`--since=@${Math.floor(fromMs / 1000)}`]),
    ...(isFollowing && machineId ? [`_MACHINE_ID=${machineId}`] : []),
  ]
}

const tailArgv = (path: string, { lines, isFollowing }: LogOptions): Argv => [
  'tail',
  `--lines=${lines}`,
  ...(isFollowing ? ['--follow=name', '--retry'] : []),
  '--',
  path,
]

/** The first log file of a service. A link is not followed: the account of the service may have made it. */
async function fileOf(files: Files, name: string): Promise<string> {
  const base = name.replace(/\.service$/, '')
  const paths = [`${base}.log`, `${base}/${base}.log`, `${base}/error.log`].map((path) => `/var/log/${path}`)
  for (const path of paths) if ((await files.facts(path))?.kind === 'file') return files.real(path)
  throw NotFound(`source: ${base} has no log file: looked for ${paths.join(', ')}`)
}

const unknown = { timeUs: undefined, priority: null, pid: null } as const

/** Parses one entry of `journalctl --output=json`; undefined if it was cut. */
export function parseEntry(text: string): LogLine | undefined {
  try {
    const entry: Readonly<Record<string, unknown>> = JSON.parse(text)
    const pid = Number(entry['_PID'])
    return {
      timeUs: Number(entry['__REALTIME_TIMESTAMP']),
      priority: logPriorities[Number(entry['PRIORITY'] ?? NaN)] ?? null,
      pid: Number.isInteger(pid) && pid > 0 ? pid : null,
      message: messageOf(entry['MESSAGE']),
    }
  } catch {
    return undefined
  }
}

/** A message that is no UTF-8 is a list of bytes (systemd's journal export formats). */
function messageOf(message: unknown): string {
  const text = Array.isArray(message) ? Buffer.from(message).toString('utf8') : String(message ?? '')
  return text.length > longestMessage
    ? `${text.slice(0, longestMessage)} … (${text.length - longestMessage} characters more)`
    : text
}

import { fingerprintOf } from './fingerprint.ts'

/** The slow statements of one shape. */
export interface SlowQuery {
  readonly fingerprint: string
  readonly count: number
  readonly totalSeconds: number
  readonly maxSeconds: number
  readonly lockSeconds: number
  readonly rowsSent: number
  readonly rowsExamined: number
  readonly databases: readonly string[]
  readonly users: readonly string[]
}

interface Entry {
  readonly user: string
  readonly database: string
  readonly seconds: number
  readonly lockSeconds: number
  readonly rowsSent: number
  readonly rowsExamined: number
  readonly statement: string
}

const mostNames = 10

/** Groups the entries of a slow query log by the shape of their statements, the longest in total first. */
export function aggregateSlowLog(text: string): SlowQuery[] {
  const groups = Map.groupBy(parseSlowLog(text), ({ statement }) => fingerprintOf(statement))
  return [...groups]
    .map(([fingerprint, entries]) => queryOf(fingerprint, entries))
    .toSorted((one, other) => other.totalSeconds - one.totalSeconds)
}

function queryOf(fingerprint: string, entries: readonly Entry[]): SlowQuery {
  const sum = (of: (entry: Entry) => number) => entries.reduce((total, entry) => total + of(entry), 0)
  const names = (of: (entry: Entry) => string) =>
    [...new Set(entries.map(of).filter((name) => name !== ''))].toSorted().slice(0, mostNames)
  return {
    fingerprint,
    count: entries.length,
    totalSeconds: sum(({ seconds }) => seconds),
    maxSeconds: entries.reduce((longest, { seconds }) => Math.max(longest, seconds), 0),
    lockSeconds: sum(({ lockSeconds }) => lockSeconds),
    rowsSent: sum(({ rowsSent }) => rowsSent),
    rowsExamined: sum(({ rowsExamined }) => rowsExamined),
    databases: names(({ database }) => database),
    users: names(({ user }) => user),
  }
}

/** Reads the entries of a slow query log as MariaDB writes it; what precedes the first one is dropped. */
export function parseSlowLog(text: string): Entry[] {
  return text
    .split(/^(?=# User@Host: )/m)
    .flatMap((part) => (part.startsWith('# User@Host: ') ? (entryOf(part) ?? []) : []))
}

function entryOf(part: string): Entry | undefined {
  const [header, statement] = splitEntry(part)
  if (statement === '') return undefined
  const numberOf = (name: string) => Number(new RegExp(`\\b${name}: +([\\d.]+)`).exec(header)?.[1] ?? 0)
  return {
    user: /^# User@Host: ([^[\s]*)/.exec(header)?.[1] ?? '',
    database: /\bSchema: (\S*)/.exec(header)?.[1] ?? '',
    seconds: numberOf('Query_time'),
    lockSeconds: numberOf('Lock_time'),
    rowsSent: numberOf('Rows_sent'),
    rowsExamined: numberOf('Rows_examined'),
    statement,
  }
}

/** The statement follows the lines with `#`, and what the log adds to it; the next entry may begin with its time. */
function splitEntry(part: string): [header: string, statement: string] {
  const lines = part.split('\n')
  const first = lines.findIndex((line) => !line.startsWith('#'))
  if (first === -1) return [part, '']
  const statement = lines
    .slice(first)
    .join('\n')
    .replace(/\n# Time: \d{6} +\d+:\d\d:\d\d\n?$/, '\n')
    .replace(/^(?:use [^\n]*;\n)?SET timestamp=\d+;\n/, '')
  return [lines.slice(0, first).join('\n'), statement.replace(/\n\S*mariadbd, Version: [^]*$/, '').trim()]
}

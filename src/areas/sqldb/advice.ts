/** What the advice is derived from. */
export interface TunerFigures {
  /** Status variables of the server. */
  status(name: string): number
  /** Variables of the running server. */
  variable(name: string): string
  /** Bytes of memory of the host. */
  readonly memoryBytes: number
  /** Bytes of data and indexes of all databases. */
  readonly dataBytes: number
}

/** A value that suits the load better than the present one. */
export interface Advice {
  readonly name: string
  readonly current: string
  readonly suggested: string
  readonly reason: string
  readonly figure: { readonly name: string; readonly value: number }
}

type Rule = (figures: TunerFigures) => Advice | undefined

const mib = 1024 * 1024
const poolStep = 128 * mib

/** Returns the advice for a server, each with its reason and the figure behind it. */
export const adviceFor = (figures: TunerFigures): Advice[] => rules.flatMap((rule) => rule(figures) ?? [])

const numberOf = ({ variable }: TunerFigures, name: string): number => Number(variable(name)) || 0
const ratio = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.round((part / whole) * 10_000) / 100

const bufferPool: Rule = (figures) => {
  const [now, { memoryBytes, dataBytes }] = [numberOf(figures, 'innodb_buffer_pool_size'), figures]
  const wanted = Math.min(dataBytes * 1.2, memoryBytes / 2)
  const suggested = Math.ceil(wanted / poolStep) * poolStep
  if (now === 0 || dataBytes <= now || suggested <= now || suggested > memoryBytes * 0.6) return undefined
  return {
    name: 'innodb_buffer_pool_size',
    current: String(now),
    suggested: String(suggested),
    reason: 'The data is larger than the buffer pool, so that it is read from the disk again and again',
    figure: { name: 'bytes of data and indexes', value: dataBytes },
  }
}

const connections: Rule = (figures) => {
  const now = numberOf(figures, 'max_connections')
  const used = figures.status('max_used_connections')
  if (now === 0 || ratio(used, now) < 85) return undefined
  return {
    name: 'max_connections',
    current: String(now),
    suggested: String(Math.min(100_000, Math.ceil((now * 1.5) / 10) * 10)),
    reason: 'Nearly all connections were in use at a time; clients above the limit are refused',
    figure: { name: 'max_used_connections', value: used },
  }
}

const leastTables = 100
const largestTable = 256 * mib

/** A temporary table stays in memory up to the smaller one of two limits. */
const temporaryTables =
  (name: 'tmp_table_size' | 'max_heap_table_size'): Rule =>
  (figures) => {
    const [onDisk, all] = [figures.status('created_tmp_disk_tables'), figures.status('created_tmp_tables')]
    const smaller = Math.min(numberOf(figures, 'tmp_table_size'), numberOf(figures, 'max_heap_table_size'))
    const [now, wanted] = [numberOf(figures, name), Math.min(smaller * 2, largestTable)]
    if (all < leastTables || ratio(onDisk, all) < 25 || now >= wanted) return undefined
    return {
      name,
      current: String(now),
      suggested: String(wanted),
      reason: 'Many temporary tables outgrow their memory and are written to the disk',
      figure: { name: 'percent of temporary tables on the disk', value: ratio(onDisk, all) },
    }
  }

const tableCache: Rule = (figures) => {
  const now = numberOf(figures, 'table_open_cache')
  const [open, opened] = [figures.status('open_tables'), figures.status('opened_tables')]
  if (now === 0 || open < now * 0.95 || opened < now * 2 || now >= 8000) return undefined
  return {
    name: 'table_open_cache',
    current: String(now),
    suggested: String(Math.min(8000, now * 2)),
    reason: 'The cache of open tables is full, so that tables are closed and opened again',
    figure: { name: 'opened_tables', value: opened },
  }
}

const leastConnects = 1000

const threadCache: Rule = (figures) => {
  const now = numberOf(figures, 'thread_cache_size')
  const [created, connects] = [figures.status('threads_created'), figures.status('connections')]
  if (connects < leastConnects || ratio(created, connects) < 10 || now >= 512) return undefined
  return {
    name: 'thread_cache_size',
    current: String(now),
    suggested: String(Math.min(512, Math.max(64, now * 2))),
    reason: 'Many connections need a new thread, as the cache has none left',
    figure: { name: 'percent of connections with a new thread', value: ratio(created, connects) },
  }
}

const logBuffer: Rule = (figures) => {
  const [now, waits] = [numberOf(figures, 'innodb_log_buffer_size'), figures.status('innodb_log_waits')]
  if (now === 0 || waits === 0 || now >= 128 * mib) return undefined
  return {
    name: 'innodb_log_buffer_size',
    current: String(now),
    suggested: String(Math.min(128 * mib, now * 2)),
    reason: 'Transactions waited for room in the buffer of the redo log',
    figure: { name: 'innodb_log_waits', value: waits },
  }
}

const slowLog: Rule = (figures) => {
  if (figures.variable('slow_query_log') === 'ON') return undefined
  return {
    name: 'slow_query_log',
    current: 'OFF',
    suggested: 'ON',
    reason: 'Slow statements are counted, and nothing tells which they are',
    figure: { name: 'slow_queries', value: figures.status('slow_queries') },
  }
}

const rules: readonly Rule[] = [
  bufferPool,
  connections,
  temporaryTables('tmp_table_size'),
  temporaryTables('max_heap_table_size'),
  tableCache,
  threadCache,
  logBuffer,
  slowLog,
]

/** The variables that the advice is derived from. */
export const tunedVariables = [
  'innodb_buffer_pool_size',
  'max_connections',
  'tmp_table_size',
  'max_heap_table_size',
  'table_open_cache',
  'thread_cache_size',
  'innodb_log_buffer_size',
  'slow_query_log',
] as const

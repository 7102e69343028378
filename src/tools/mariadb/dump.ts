import { pipeline, type Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Run, RunResult } from '../../host/run.ts'
import { DumpFailed } from '../sql-import/problems.ts'
import { outputOf } from '../program-output.ts'

/** What dumps are made with. */
export interface Dumping {
  readonly run: Run
  readonly socketPath: string
}

interface DumpOptions {
  readonly signal: AbortSignal
  /** Receives the number of bytes of SQL so far. */
  readonly onProgress: (bytes: number) => void
}

const limitMs = 12 * 3_600_000

/** The command that dumps a database; root needs no password through the socket. Comments contain names, which may have line breaks. */
export const dumpArgv = (socketPath: string, database: string): readonly [string, ...string[]] => [
  'mariadb-dump',
  '--no-defaults',
  '--user=root',
  '--protocol=socket',
  `--socket=${socketPath}`,
  '--single-transaction',
  '--quick',
  '--routines',
  '--triggers',
  '--events',
  '--hex-blob',
  '--skip-comments',
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=1G',
  '--',
  database,
]

/** Dumps a database as gzipped SQL, from one consistent state of its InnoDB tables. Destroying the stream ends the dump. */
export function dumpDatabase(
  { run, socketPath }: Dumping,
  database: string,
  { signal, onProgress }: DumpOptions,
): Readable {
  let size = 0
  const dump = outputOf(
    ({ onOutput, ...limits }) =>
      run(dumpArgv(socketPath, database), {
        ...limits,
        timeoutMs: limitMs,
        onOutput: (chunk) => {
          onProgress((size += chunk.length))
          return onOutput(chunk)
        },
      }),
    failureOf,
    signal,
  )
  return pipeline(dump, createGzip(), () => {}) // a failure destroys the stream with its reason
}

const failureOf = ({ stderr, code }: RunResult): Error =>
  DumpFailed(`MariaDB: ${stderr.trim().slice(0, 2000) || `mariadb-dump ended with ${code}`}`)

import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Problem, problem } from '../../../core/problem.ts'
import { sql, type SqlConnection } from '../../../host/apply/steps.ts'
import type { Dumping } from '../dump.ts'
import { forget } from './follow.ts'
import { readReplica } from './status.ts'

export const LoadFailed = problem('sync_failed', 500, 'The databases of the primary could not be loaded')

interface Loading extends Dumping {
  readonly connection: SqlConnection
}

interface LoadOptions {
  readonly signal: AbortSignal
  /** Receives the number of bytes of SQL so far. */
  readonly onProgress: (bytes: number) => void
}

const limitMs = 12 * 3_600_000

/**
 * Prepares a server for the dump of another: it follows nobody until all of it is loaded, so that no restart of the server
 * goes on from databases of which a part is missing, and its binary log begins anew, as positions of its own would be in the way.
 */
export async function prepareForLoad(connection: SqlConnection): Promise<void> {
  if ((await readReplica(connection)) !== undefined) await forget(connection)
  await connection.run(sql`reset master`)
}

/** Loads a gzipped dump of another server, which replaces the databases that it contains. A dump that ends early fails. */
export async function loadServer(
  { run, socketPath }: Loading,
  dump: Readable,
  { signal, onProgress }: LoadOptions,
): Promise<void> {
  let size = 0
  const counted = new PassThrough()
  counted.on('data', (chunk: Buffer) => onProgress((size += chunk.length)))
  counted.pause()
  let broken: Error | undefined
  // the client takes an input that breaks off for its end: only the source tells whether all of it was there
  const source = pipeline(dump, createGunzip(), counted).catch((error: Error) => {
    broken ??= error
  })
  const { code, stderr } = await run(loadArgv(socketPath), { timeoutMs: limitMs, signal, input: counted })
  if (signal.aborted) throw signal.reason
  if (code !== 0 && broken === undefined)
    broken = LoadFailed(`MariaDB: ${stderr.trim().slice(0, 2000) || `the client ended with ${code}`}`)
  if (broken !== undefined) dump.destroy()
  await source
  if (broken === undefined) return
  if (broken instanceof Problem && broken.kind === LoadFailed) throw broken
  throw LoadFailed(
    `The dump broke off after ${Math.round(size / 1_048_576)} MiB: ${broken.message.slice(0, 500)}`,
  )
}

/** In the sandbox and in binary mode, the client runs no command that the dump contains. */
const loadArgv = (socketPath: string): readonly [string, ...string[]] => [
  'mariadb',
  '--no-defaults',
  '--user=root',
  '--protocol=socket',
  `--socket=${socketPath}`,
  '--batch',
  '--sandbox',
  '--binary-mode',
  '--local-infile=0',
  '--skip-reconnect',
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=1G',
  '--init-command=set session sql_log_bin = 0',
]

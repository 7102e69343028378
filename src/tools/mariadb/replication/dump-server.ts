import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { RunResult } from '../../../host/run.ts'
import { outputOf } from '../../program-output.ts'
import { dumpArgv, type Dumping } from '../dump.ts'
import { DumpFailed } from '../../sql-import/problems.ts'

const limitMs = 12 * 3_600_000

/**
 * The command that dumps databases of one consistent state, with the position in the binary log that belongs to it. The
 * statement that sets this position is the first one of the dump.
 */
function serverDumpArgv(socketPath: string, databases: readonly string[]): readonly [string, ...string[]] {
  const argv = dumpArgv(socketPath, '')
  const options = argv.slice(1, argv.indexOf('--'))
  return [
    argv[0],
    ...options,
    '--gtid',
    '--master-data=1',
    '--add-drop-database',
    '--databases',
    '--',
    ...databases,
  ]
}

/** Dumps databases as gzipped SQL for a server that will follow this one. Destroying the stream ends the dump. */
export function dumpServer(
  { run, socketPath }: Dumping,
  { databases, gtid }: { readonly databases: readonly string[]; readonly gtid: string },
  signal: AbortSignal,
): Readable {
  const dump =
    databases.length === 0
      ? Readable.from([`set global gtid_slave_pos = '${gtid.replaceAll(/[^\d,-]/g, '')}';\n`])
      : outputOf(
          (options) => run(serverDumpArgv(socketPath, databases), { ...options, timeoutMs: limitMs }),
          failureOf,
          signal,
        )
  return pipeline(dump, createGzip({ level: 1 }), () => {}) // a failure destroys the stream with its reason
}

const failureOf = ({ stderr, code }: RunResult): Error =>
  DumpFailed(`MariaDB: ${stderr.trim().slice(0, 2000) || `mariadb-dump ended with ${code}`}`)

import type { Host } from '../../host/index.ts'
import type { Owner } from '../../host/owner/index.ts'
import type { RunResult } from '../../host/run.ts'
import { dumpStep } from '../dump-step.ts'
import { outputOf } from '../program-output.ts'
import { clientOptions, lastLines } from './backups.ts'
import { DumpFailed } from './problems.ts'

interface Exporting {
  readonly host: Pick<Host, 'run' | 'files'>
  readonly port: () => Promise<number>
  readonly ownerOf: (username: string) => Promise<Owner>
}

const limitMs = 12 * 3_600_000

/** The step that writes a compressed archive of one database into the home of its owner. */
export const exportDatabase = ({ host, port, ownerOf }: Exporting): ReturnType<typeof dumpStep> =>
  dumpStep({
    name: 'mongodb.export',
    ending: '.archive.gz',
    ownerOf,
    argv: (database) => ['mongodump', '--gzip', '--archive', `--db=${database}`],
    open: async (_owner, database, { signal, onProgress }) => {
      const argv = ['mongodump', ...clientOptions(host.files, await port()), '--gzip', '--archive'] as const
      let size = 0
      return outputOf(
        ({ onOutput, ...limits }) =>
          host.run([...argv, `--db=${database}`], {
            ...limits,
            timeoutMs: limitMs,
            onOutput: (chunk) => {
              onProgress((size += chunk.length))
              return onOutput(chunk)
            },
          }),
        (result: RunResult) => DumpFailed(`MongoDB: ${lastLines(result)}`),
        signal,
      )
    },
  })

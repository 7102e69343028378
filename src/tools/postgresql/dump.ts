import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { RunResult } from '../../host/run.ts'
import { dumpStep } from '../dump-step.ts'
import { outputOf } from '../program-output.ts'
import { DumpFailed } from '../sql-import/problems.ts'
import { dropClient, openClient } from './import/clients.ts'
import type { ImportingHomes } from './import/step.ts'

/** Without owners and rights: what is imported belongs to the users of the database that it is imported into. */
const argv = [
  'pg_dump',
  '--no-password',
  '--format=plain',
  '--encoding=UTF8',
  '--no-owner',
  '--no-privileges',
] as const

/** The step that writes a gzipped dump of a database into the home of its owner, by pg_dump with the rights of the database's users. */
export const exportDatabase = (on: ImportingHomes): ReturnType<typeof dumpStep> =>
  dumpStep({
    name: 'postgresql.export',
    ending: '.sql.gz',
    ownerOf: on.ownerOf,
    argv: (database) => [...argv, `--dbname=${database}`],
    open: async (owner, database, { signal, onProgress }) => {
      const runClient = await openClient(on, { owner, database })
      let size = 0
      const dump = outputOf(
        ({ onOutput, ...limits }) =>
          runClient(argv, {
            ...limits,
            onOutput: (chunk) => {
              onProgress((size += chunk.length))
              return onOutput(chunk)
            },
          }),
        failureOf,
        signal,
      )
      return pipeline(dump, createGzip(), () => {}) // a failure destroys the stream with its reason
    },
    clear: (database) => dropClient(on, database),
  })

const failureOf = ({ stderr, code }: RunResult): Error =>
  DumpFailed(`PostgreSQL: ${stderr.trim().slice(0, 2000) || `pg_dump ended with ${code}`}`)

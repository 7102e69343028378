import type { Owner } from '../../host/owner/index.ts'
import { dumpStep } from '../dump-step.ts'
import { dumpArgv, dumpDatabase, type Dumping } from './dump.ts'

/** Where exports are made. */
export interface Exporting extends Dumping {
  readonly ownerOf: (username: string) => Promise<Owner>
}

/** The step that writes a gzipped dump of a database into the home of its owner. */
export const exportDatabase = (on: Exporting): ReturnType<typeof dumpStep> =>
  dumpStep({
    name: 'mariadb.export',
    ending: '.sql.gz',
    ownerOf: on.ownerOf,
    argv: (database) => dumpArgv(on.socketPath, database),
    open: (_owner, database, options) => dumpDatabase(on, database, options),
  })

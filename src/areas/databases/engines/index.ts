import { Unavailable } from '../../../core/problem.ts'
import type { Tools } from '../../../tools/open-tools.ts'
import type { EngineName } from '../model.ts'
import type { Engine } from './engine.ts'
import { mariadbEngine } from './mariadb.ts'
import { mongodbEngine } from './mongodb.ts'
import { postgresqlEngine } from './postgresql.ts'

/** The database servers of this host, by their names. */
export type Engines = Readonly<Partial<Record<EngineName, Engine>>>

/** Opens the database servers of this host; none is asked before a verb needs it. */
export const openEngines = ({ mariadb, postgresql, mongodb }: Tools): Engines => ({
  mariadb: mariadbEngine(mariadb),
  postgresql: postgresqlEngine(postgresql),
  mongodb: mongodbEngine(mongodb),
})

/** Returns the engine of a database or of a draft. */
export function engineOf(
  { engines }: { readonly engines: Engines },
  { engine: name }: { readonly engine: EngineName },
): Engine {
  const engine = engines[name]
  if (engine === undefined)
    throw Unavailable(`engine: the panel has no ${name} yet: use mariadb, postgresql or mongodb`)
  return engine
}

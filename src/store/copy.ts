import { chmodSync, readdirSync, rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { putWhole, removePartial } from './whole-file.ts'

/** The copy that is kept of a store before it was migrated. */
export const copyName = /^before-migration-\d+\.db$/
/** What a start that was killed or had no room has left; each start has a name of its own. */
const partialName = /^(before-migration-\d+\.db\.new)(?:-journal)?$/

/** Keeps one copy of the store: the new one is complete on the disk before the earlier ones are removed. */
export function keepCopy(database: DatabaseSync, dataDir: string, now: Date): void {
  const name = `before-migration-${now.toISOString().replaceAll(/\D/g, '')}.db`
  for (const partial of readdirSync(dataDir).flatMap((each) => partialName.exec(each)?.[1] ?? []))
    removePartial(`${dataDir}/${partial}`)
  putWhole(`${dataDir}/${name}`, (temporary) => {
    database.prepare('VACUUM INTO ?').run(temporary)
    chmodSync(temporary, 0o600)
  })
  for (const earlier of readdirSync(dataDir).filter((each) => copyName.test(each) && each !== name))
    rmSync(`${dataDir}/${earlier}`)
}

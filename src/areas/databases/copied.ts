import { type RowWrite, type Step, step } from '../../core/change.ts'
import type { Lock } from '../../core/lock.ts'
import { NotFound } from '../../core/problem.ts'
import { hashOf } from '../../tools/mariadb/index.ts'
import type { LoadedWebsite } from '../websites/index.ts'
import type { Databases } from './context.ts'
import { fileDatabase } from './databases.ts'
import { engineOf } from './engines/index.ts'
import { assertInstalled, databaseLock } from './names.ts'
import { NotCopied } from './problems.ts'
import { type AccountRow, type DatabaseRow } from './store.ts'

interface CopyDraft {
  readonly id: number
  readonly name: string
  readonly username: string
  /** The hash of the password of the account once the copy is made. */
  readonly hash: string
  /** The password with which the copy is loaded. */
  readonly temporary: string
  /** Marks the copy on the server. */
  readonly label: string
  readonly now: Date
}

/** What copies a database to a new one of a website. */
interface CopiedDatabase {
  readonly row: DatabaseRow
  readonly account: Pick<AccountRow, 'username' | 'host'>
  readonly found: NonNullable<ReturnType<Awaited<ReturnType<Databases['mariadb']['findDatabases']>>['get']>>
  readonly locks: readonly Lock[]
  readonly steps: readonly Step[]
  readonly rows: readonly RowWrite[]
}

/** Returns what copies a database, with an account of its own, who loads the copy and owns its views and routines. */
export async function copiedDatabase(
  on: Databases,
  source: DatabaseRow,
  site: LoadedWebsite,
  { hash, temporary, label, ...draft }: CopyDraft,
): Promise<CopiedDatabase> {
  if (source.engine !== 'mariadb')
    throw NotCopied(
      `id: ${source.name} is not on MariaDB: export it, and import the file into another database`,
    )
  await assertInstalled(on.mariadb)
  const filed = await fileDatabase(on, site, { ...draft, engine: engineOf(on, source) })
  const found = (await on.mariadb.findDatabases([source.name])).get(source.name)
  if (found === undefined) throw NotFound(`id: the server has no database ${source.name} any more`)
  const { name } = filed.row
  const { charset, collation } = found
  const { username } = filed.account
  const { setAccount, copyDatabase } = on.mariadb.steps
  const account = { ...filed.account, database: name }
  return {
    row: filed.row,
    account: filed.account,
    found,
    locks: [...filed.locks, databaseLock(source.name)],
    steps: [
      step(setAccount, { ...account, hash: hashOf(temporary) }),
      step(copyDatabase, {
        ...{ source: source.name, name, charset, collation, label, username },
        password: temporary,
      }),
      step(setAccount, { ...account, hash }),
    ],
    rows: filed.rows,
  }
}

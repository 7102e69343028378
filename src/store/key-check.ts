import type { Migration } from '../core/area.ts'
import type { Seal } from './secrets.ts'
import type { Db } from './database.ts'

const constant = 'sealed by this panel'

export const keyCheckMigration: Migration = {
  name: '202611210001-key-check',
  statements: ['create table key_check (slot integer primary key check (slot = 1), sealed text not null)'],
}

/** The key file contains a key, but not the one that the store was sealed with. */
export class ForeignKeyFile extends Error {
  constructor(path: string, cause: unknown) {
    super(
      `The key file ${path} is not the one that the store in its directory was sealed with: restore the right one from a backup`,
      { cause },
    )
    this.name = 'ForeignKeyFile'
  }
}

/** Rejects a key file that the store was not sealed with; called before anything in the store is changed. */
export async function assertSealedUnder(db: Db, seal: Seal, path: string): Promise<void> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'key_check')) return
  const check = await db.selectFrom('key_check').select('sealed').executeTakeFirst()
  if (check === undefined) return
  try {
    seal.unseal(check.sealed)
  } catch (error) {
    throw new ForeignKeyFile(path, error)
  }
}

/** Seals a constant, by which later starts recognize the key file. */
export async function sealConstant(db: Db, seal: Seal): Promise<void> {
  await db
    .insertInto('key_check')
    .values({ slot: 1, sealed: seal.seal(constant) })
    .onConflict((conflict) => conflict.column('slot').doNothing())
    .execute()
}

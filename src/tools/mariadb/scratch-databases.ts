import { identifier, sql } from '../../host/apply/steps.ts'
import type { Owner } from '../../host/owner/index.ts'
import type { Encoding } from './databases.ts'
import { dropImportAccount } from './import/account.ts'
import { importFile, type Importing } from './import/import.ts'
import { seeTables, type SeenTable, unchangedTables } from './tables.ts'

/** With a colon, as no database of a website has one. */
const prefix = 'hostreeve:drill:'

/** A dump that is loaded to see whether it can be. */
export interface Rehearsal extends Encoding {
  /** Tells the scratch database from others, such as a number. */
  readonly label: string
  /** The dump is a file of their home. */
  readonly owner: Owner
  /** Relative to the home. */
  readonly path: string
  readonly signal: AbortSignal
}

/**
 * Opens databases that dumps are loaded into for as long as it takes to look at them. What a dump makes there belongs to the
 * account of the import and ends with it, so that its events and triggers reach no other database.
 */
export function openScratchDatabases(importing: Importing) {
  const { connection } = importing
  const active = new Set<string>()
  const remove = async (name: string) => {
    await dropImportAccount(importing, name)
    await connection.run(sql`drop database if exists ${identifier(name)}`)
  }
  /** Loads a dump into a database of its own, which is removed in any case. */
  const load = async ({ label, owner, path, charset, collation, signal }: Rehearsal) => {
    const name = `${prefix}${label}`
    active.add(name)
    try {
      await remove(name)
      await connection.run(
        sql`create database ${identifier(name)} character set ${charset} collate ${collation}`,
      )
      await importFile(importing, { owner, database: name, path }, { signal, onProgress: () => {} })
      return await seeTables(connection, name, { countsAll: true })
    } finally {
      await remove(name).finally(() => active.delete(name))
    }
  }
  return {
    /** Removes the databases that a killed panel left, but for those in use. */
    removeLeft: async () => {
      const rows = await connection.run(
        sql`select schema_name as name from information_schema.schemata where left(schema_name, ${prefix.length}) = ${prefix}`,
      )
      for (const row of rows) if (!active.has(String(row['name']))) await remove(String(row['name']))
    },
    verbs: {
      /** Lists the tables of a database, with the rows of those that are not being written to. */
      seeTables: (database: string) => seeTables(connection, database),
      /** Returns those that are still there, with the rows of those that were not written to since. */
      unchangedTables: (database: string, seen: readonly SeenTable[]) =>
        unchangedTables(connection, database, seen),
      /** For steps: loads a dump into a database of its own, returns its tables, and removes it. */
      rehearse: load,
      /** For steps: removes the database of a rehearsal that was cut off. */
      removeRehearsed: (label: string) => remove(`${prefix}${label}`),
    },
  }
}

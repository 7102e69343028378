import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { writeWhole } from './whole-file.ts'

const pathIn = (dataDir: string) => `${dataDir}/tolerated-migrations.json`

/** The migrations of a newer release that this one works with: a rollback listed them, as they only add. */
export function toleratedMigrations(dataDir: string): ReadonlySet<string> {
  const path = pathIn(dataDir)
  const names: readonly string[] = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
  return new Set(names)
}

/** The names that a store on a server may contain, for those who do not know its address. It exists while the store is there. */
const namesIn = (dataDir: string) => `${dataDir}/migrations-on-server.json`

/** Notes that the store is on a server, and its migrations before they are applied. */
export function noteMigrations(dataDir: string, names: readonly string[]): void {
  writeWhole(namesIn(dataDir), JSON.stringify(names), 0o600)
}

/** True if the store of a data directory is on a server. */
export const isOnServer = (dataDir: string): boolean => existsSync(namesIn(dataDir))

/** Called once the store has been copied back. */
export const forgetServer = (dataDir: string): void => rmSync(namesIn(dataDir), { force: true })

/** The setting of the server is missing; a store in SQLite would be empty, or of the day of the move. */
export class StoreElsewhere extends Error {
  constructor(dataDir: string) {
    super(
      `The store of this panel is on a PostgreSQL server: set HOSTREEVE_DATABASE_URL. To use SQLite again, copy it with "hostreeve store copy --to sqlite:"; where the server is lost, remove ${namesIn(dataDir)} and put hostreeve.db and secret.key of a backup there`,
    )
    this.name = 'StoreElsewhere'
  }
}

/** Has an older release accept the store as it is. */
export function tolerateMigrations(dataDir: string): void {
  if (isOnServer(dataDir)) return copyFileSync(namesIn(dataDir), pathIn(dataDir))
  const database = new DatabaseSync(`${dataDir}/hostreeve.db`, { readOnly: true })
  try {
    const names = database
      .prepare('select name from schema_migrations')
      .all()
      .map(({ name }) => name)
    writeFileSync(pathIn(dataDir), JSON.stringify(names), { mode: 0o600 })
  } finally {
    database.close()
  }
}

import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const pathIn = (dataDir: string) => `${dataDir}/tolerated-migrations.json`

/** The migrations of a newer release that this one works with: a rollback listed them, as they only add. */
export function toleratedMigrations(dataDir: string): ReadonlySet<string> {
  const path = pathIn(dataDir)
  const names: readonly string[] = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
  return new Set(names)
}

/** The names that a store on a server may contain, for those who do not know its address. */
const namesIn = (dataDir: string) => `${dataDir}/migrations-on-server.json`

/** Notes the migrations of a store on a server before they are applied. */
export function noteMigrations(dataDir: string, names: readonly string[]): void {
  writeFileSync(namesIn(dataDir), JSON.stringify(names), { mode: 0o600 })
}

/** Has an older release accept the store as it is. */
export function tolerateMigrations(dataDir: string): void {
  if (!existsSync(`${dataDir}/hostreeve.db`) && existsSync(namesIn(dataDir)))
    return copyFileSync(namesIn(dataDir), pathIn(dataDir))
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

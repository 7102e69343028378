import { readFileSync } from 'node:fs'
import { isOnServer } from '../store/tolerated.ts'

interface Earlier {
  readonly dataDir: string
  /** The version of the panel, and the folder that it is installed in. */
  readonly to: string
  readonly versionFolder: string
}

/**
 * Throws if the store is on a PostgreSQL server and the version cannot open it there: it would use an empty store, or that of the
 * day of the move.
 */
export function assertOpensStore({ dataDir, to, versionFolder }: Earlier): void {
  if (!isOnServer(dataDir) || hasDriver(versionFolder)) return
  throw new Error(
    `Version ${to} cannot use the PostgreSQL server that has the store of this panel: stop the panel and copy the store back first, with "hostreeve store copy --to sqlite:"`,
  )
}

/** The versions that open a store on a server depend on its driver. */
function hasDriver(versionFolder: string): boolean {
  const about: { readonly dependencies?: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(`${versionFolder}/package.json`, 'utf8'),
  )
  return about.dependencies?.['pg'] !== undefined
}

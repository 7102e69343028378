import type { Store } from './bind.ts'
import { type DirectoryOptions, openInDirectory } from './in-directory.ts'
import type { LinkOptions } from './postgresql/link-options.ts'

export type { Store } from './bind.ts'

export interface StoreOptions extends DirectoryOptions {
  /** A database on a PostgreSQL server, instead of the one in the data directory. */
  readonly databaseUrl?: string
  /** How the connection to it behaves, where that is not as usual. */
  readonly link?: Partial<LinkOptions>
}

/** Opens the store: locks the data directory and the database, makes a copy, migrates, and rejects a newer schema. */
export async function openStore({ databaseUrl, link, ...options }: StoreOptions): Promise<Store> {
  if (databaseUrl === undefined) return openInDirectory(options)
  const { openOnServer } = await import('./postgresql/store.ts') // its driver is loaded for those who use it
  return openOnServer({ ...options, databaseUrl, ...(link && { link }) })
}

import { DatabaseSync } from 'node:sqlite'

/** Another panel runs on the same data directory. */
export class DataDirectoryInUse extends Error {
  constructor(directory: string) {
    super(
      `Another panel runs on the data directory ${directory}: stop it first, or set another with HOSTREEVE_DATA_DIR`,
    )
    this.name = 'DataDirectoryInUse'
  }
}

/** Locks the data directory for this process. The kernel releases the lock however the process ends, as it is an open file lock of SQLite. */
export function lockDataDirectory(directory: string): { release(): void } {
  const lock = new DatabaseSync(`${directory}/panel.lock`)
  try {
    lock.exec('PRAGMA busy_timeout = 0')
    lock.exec('PRAGMA journal_mode = DELETE')
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (/locked/.test((error as Error).message)) throw new DataDirectoryInUse(directory)
    throw error
  }
  return { release: () => lock.close() }
}

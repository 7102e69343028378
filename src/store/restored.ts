import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { lockDataDirectory } from './data-lock.ts'
import { putWhole } from './whole-file.ts'

/** A file of a restore, and where it belongs. */
export interface RestoredFile {
  readonly name: string
  readonly path: string
}

/** The folder of a restore that waits for the next start: its files, and `files.json`, which tells where they belong. */
export const restoreFolder = (dataDir: string): string => `${dataDir}/restore-pending`

/**
 * Puts the files of a restore in place before anything of the data folder is read. A start that is killed meanwhile is completed
 * by the next one.
 */
export function takeRestored(dataDir: string): void {
  const folder = restoreFolder(dataDir)
  if (!existsSync(`${folder}/files.json`)) return
  const lock = lockDataDirectory(dataDir)
  try {
    const files: readonly RestoredFile[] = JSON.parse(readFileSync(`${folder}/files.json`, 'utf8'))
    // the journal of the replaced store must not be applied to the new one
    for (const ending of ['-wal', '-shm', '-journal'])
      rmSync(`${dataDir}/hostreeve.db${ending}`, { force: true })
    for (const { name, path } of files) place(`${folder}/${name}`, path)
    if (files.some(({ name }) => name === 'hostreeve.db')) writeFileSync(restoredMark(dataDir), '')
    rmSync(folder, { recursive: true })
  } finally {
    lock.release()
  }
}

/** Tells a start on a PostgreSQL server to load the restored file of the store. */
const restoredMark = (dataDir: string): string => `${dataDir}/restored-store`

/** Removes the file of a store, and what SQLite keeps beside it. */
export function removeStoreFile(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${ending}`, { force: true })
}

/** True if the file of the store in the data directory was restored and not opened yet. */
export const hasRestored = (dataDir: string): boolean =>
  existsSync(restoredMark(dataDir)) && existsSync(`${dataDir}/hostreeve.db`)

/** Called once the panel works with what was restored. */
export const forgetRestored = (dataDir: string): void => rmSync(restoredMark(dataDir), { force: true })

function place(from: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  putWhole(path, (temporary) => {
    copyFileSync(from, temporary)
    chmodSync(temporary, 0o600)
  })
}

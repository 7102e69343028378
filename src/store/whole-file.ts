import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { nameFullDisk } from './disk-failures.ts'

/** Writes a small file atomically: under a temporary name, synced, renamed. */
export function writeWhole(path: string, text: string, mode: number): void {
  putWhole(path, (temporary) => writeFileSync(temporary, text, { mode, flag: 'wx' }))
}

/** Lets `write` create a file under a temporary name, and renames it once it is complete on the disk. */
export function putWhole(path: string, write: (temporary: string) => void): void {
  const temporary = `${path}.new`
  removePartial(temporary) // a start that was killed may have left one
  try {
    write(temporary)
    sync(temporary)
    renameSync(temporary, path)
    sync(dirname(path))
  } catch (error) {
    removePartial(temporary)
    throw nameFullDisk(error, dirname(path))
  }
}

/** Removes a file that was not completed, and the journal that SQLite keeps beside a store that it could not write. */
export function removePartial(temporary: string): void {
  for (const path of [temporary, `${temporary}-journal`]) rmSync(path, { force: true })
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

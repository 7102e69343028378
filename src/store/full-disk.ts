import { DiskFull, Problem } from '../core/problem.ts'

/** SQLITE_FULL, after which SQLite itself has rolled the transaction back, and SQLITE_IOERR_SHMSIZE: no space for the WAL's index. */
const sqliteFull: ReadonlySet<number | undefined> = new Set([13, 4874])

/** True if SQLite rejected a write because the disk is full. */
export const isSqliteFull = (error: unknown): boolean =>
  sqliteFull.has((error as { errcode?: number }).errcode)

/** True if a write to the store was rejected because the disk is full. */
export const isDiskFull = (error: unknown): error is Problem =>
  error instanceof Problem && error.kind === DiskFull

/** Converts the failure of a full disk, by the file system or by SQLite, to a message that states what to do; keeps other errors. */
export function nameFullDisk(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EDQUOT' && !isSqliteFull(error) && !isDiskFull(error)) return error
  return DiskFull(`no room is left on the disk that holds ${folder}: make room and start the panel again`, {
    cause: error,
  })
}

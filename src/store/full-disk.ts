import { DiskFull, Problem } from '../core/problem.ts'

/** SQLITE_FULL, after which SQLite has rolled the transaction back by itself, and SQLITE_IOERR_SHMSIZE: no room for the WAL's index. */
const sqliteFull: ReadonlySet<number | undefined> = new Set([13, 4874])

/** Whether SQLite refused a write for want of room. */
export const isSqliteFull = (error: unknown): boolean =>
  sqliteFull.has((error as { errcode?: number }).errcode)

/** Whether a write to the store was refused for want of room. */
export const isDiskFull = (error: unknown): error is Problem =>
  error instanceof Problem && error.kind === DiskFull

/** Turns a refusal for want of room, by the file system or by SQLite, into a message that says what to do; keeps other errors. */
export function nameFullDisk(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EDQUOT' && !isSqliteFull(error) && !isDiskFull(error)) return error
  return DiskFull(`no room is left on the disk that holds ${folder}: make room and start the panel again`, {
    cause: error,
  })
}

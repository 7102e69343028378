import { nameDiskFailure } from '../core/disk.ts'
import { DiskFailed, DiskFull, Problem, type ProblemKind } from '../core/problem.ts'

const ioErrorWithoutSpace = 4874 // SQLITE_IOERR_SHMSIZE: no space for the index of the WAL

/**
 * Returns the problem of a disk that made SQLite refuse an access, by its result code (sqlite.org/rescode.html);
 * undefined for other failures. SQLite itself has rolled the transaction back.
 */
export function sqliteDiskProblem(error: unknown): Problem | undefined {
  const { errcode = 0 } = error as { errcode?: number }
  const primary = errcode & 0xff
  const place = 'the disk that holds the data directory'
  const named = (kind: ProblemKind, detail: string) => kind(detail, { cause: error })
  if (primary === 13 || errcode === ioErrorWithoutSpace) return named(DiskFull, `no room is left on ${place}`)
  if (primary === 8) return named(DiskFailed, `the store is read-only: make ${place} writable`)
  if (primary === 14) return named(DiskFailed, `the store cannot be opened: check ${place}`)
  // also a used up quota, for which SQLite has no code of its own
  if (primary === 10) return named(DiskFailed, `${place} fails, or its quota is used up: check it (dmesg)`)
  return undefined
}

/** True if an access to the store was refused because of its disk, and may succeed once that is mended. */
export const isDiskProblem = (error: unknown): error is Problem =>
  error instanceof Problem && (error.kind === DiskFull || error.kind === DiskFailed)

/** The connection to the database on a server ended before it answered. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super(`the connection to the database was lost: ${messageOf(cause)}`, { cause })
    this.name = 'ConnectionLost'
  }
}

/** What went wrong, in words; failed attempts at several addresses are one error. */
export const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ')
  return error instanceof Error ? error.message || error.name : String(error)
}

/** True if nothing had an effect because the database on a server could not be reached. */
export const isStoreAway = (error: unknown): boolean =>
  error instanceof Problem && error.kind === DiskFailed && error.cause instanceof ConnectionLost

/** Converts the failure of a full disk, by the file system or by SQLite, to a message that states what to do; keeps other errors. */
export function nameFullDisk(error: unknown, folder: string): unknown {
  const named = sqliteDiskProblem(error) ?? nameDiskFailure(error, folder)
  if (!(named instanceof Problem) || named.kind !== DiskFull) return error
  return DiskFull(`no room is left on the disk that holds ${folder}: make room and start the panel again`, {
    cause: error,
  })
}

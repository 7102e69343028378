import { DiskFull, Problem } from '../core/problem.ts'

/** The database file cannot be used; the message names it and says what to do. */
export class StoreUnusable extends Error {
  constructor(file: string, problem: string, cause: unknown) {
    super(`The store ${file} ${problem}`, { cause })
    this.name = 'StoreUnusable'
  }
}

const restore = 'put it back from a backup, or from the copy before-migration-*.db in its folder'

/** By primary result code of SQLite (sqlite.org/rescode.html). */
const problems: Readonly<Record<number, string>> = {
  8: 'cannot be written: make its folder and its file system writable',
  10: 'cannot be read or written because of an I/O error: check the disk (dmesg), then start the panel again',
  11: `is damaged: ${restore}`,
  14: 'cannot be opened: make the file and its folder readable and writable for the user of the panel',
  26: `is not a database: ${restore}`,
}

/** Gives a bare message of SQLite at the start the name of the file and what to do; keeps other errors. */
export function nameUnusable(error: unknown, file: string): unknown {
  const { code, errcode } = bare(error)
  const problem = code === 'ERR_SQLITE_ERROR' ? problems[(errcode ?? 0) & 0xff] : undefined
  return problem === undefined ? error : new StoreUnusable(file, problem, error)
}

/** The error of SQLite itself, which a query wraps. */
function bare(error: unknown): { readonly code?: string; readonly errcode?: number } {
  return (error instanceof Problem && error.kind !== DiskFull ? error.cause : error) as object
}

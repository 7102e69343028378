import { DiskFailed, DiskFull } from './problem.ts'

// Node has no name for EDQUOT: its code is then "Unknown system error -122".
const usedUpQuota = -122

/** Turns the failure of a disk (full, over quota, read-only, broken) into a problem that names the place; keeps other errors. */
export function nameDiskFailure(error: unknown, place: string): unknown {
  const { code, errno } = error as NodeJS.ErrnoException
  const cause = { cause: error }
  if (code === 'ENOSPC' || code === 'EDQUOT' || errno === usedUpQuota)
    return DiskFull(`no room is left on the disk that holds ${place}`, cause)
  if (code === 'EROFS') return DiskFailed(`the file system that holds ${place} is read-only`, cause)
  if (code === 'EIO') return DiskFailed(`the disk that holds ${place} fails: check it (dmesg)`, cause)
  return error
}

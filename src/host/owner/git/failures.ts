import type { Problem } from '../../../core/problem.ts'
import { DiskFull, NotPermitted } from '../problems.ts'
import { BadValue, GitFailed, InTheWay, NoSuchBranch } from './problems.ts'
import { complaint } from './message.ts'

/** Maps a failed git run to a Problem by its message, if nothing more is known. */
export function gitFailure(message: string, where = ''): Problem {
  const why = `${where}${complaint(message) || 'git failed without a message'}`
  if (/Disk quota exceeded/.test(message)) return DiskFull(`${where}the disk quota of the account is used up`)
  if (/No space left on device/.test(message)) return DiskFull(`${where}the disk that holds the home is full`)
  const [, lock] =
    /^(?!remote: ).*Unable to create '(.+?\.lock)': File exists/m.exec(message) ??
    /could not lock config file (.+): File exists/.exec(message) ??
    []
  if (lock !== undefined) return InTheWay(`${where}${heldBy(lock.endsWith('.lock') ? lock : `${lock}.lock`)}`)
  if (/insufficient permission|: Permission denied\s*$/m.test(message)) return NotPermitted(why)
  if (/cannot lock ref .*: is at \S+ but expected/.test(message))
    return InTheWay(`${where}another git process uses this repository: ${complaint(message)}`)
  if (/cannot lock ref /.test(message)) return InTheWay(why)
  if (
    /disallowed characters|empty ident name|is not a valid remote name|invalid (?:initial )?branch name/.test(
      message,
    )
  )
    return BadValue(why)
  if (/[Cc]ouldn't find remote ref|Remote branch .* not found/.test(message)) return NoSuchBranch(why)
  return GitFailed(why)
}

/** Explains an existing lock: a killed git leaves it, and only a person can tell. */
export function heldBy(lock: string): string {
  return `another git process uses this repository, or one was killed and left its lock: if none is running, remove ${lock}`
}

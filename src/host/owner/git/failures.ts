import type { Problem } from '../../../core/problem.ts'
import { DiskFull, NotPermitted } from '../problems.ts'
import { BadWords, GitFailed, InTheWay, NoSuchBranch } from './problems.ts'
import { complaint } from './words.ts'

/** What it means that git failed with these words, where nothing more is known of it. */
export function gitFailure(words: string, where = ''): Problem {
  const why = `${where}${complaint(words) || 'git failed and said nothing'}`
  if (/Disk quota exceeded/.test(words)) return DiskFull(`${where}the disk quota of the account is used up`)
  if (/No space left on device/.test(words)) return DiskFull(`${where}the disk that holds the home is full`)
  const [, lock] =
    /^(?!remote: ).*Unable to create '(.+?\.lock)': File exists/m.exec(words) ??
    /could not lock config file (.+): File exists/.exec(words) ??
    []
  if (lock !== undefined) return InTheWay(`${where}${heldBy(lock.endsWith('.lock') ? lock : `${lock}.lock`)}`)
  if (/insufficient permission|: Permission denied\s*$/m.test(words)) return NotPermitted(why)
  if (/cannot lock ref .*: is at \S+ but expected/.test(words))
    return InTheWay(`${where}another git works in this repository: ${complaint(words)}`)
  if (/cannot lock ref /.test(words)) return InTheWay(why)
  if (
    /disallowed characters|empty ident name|is not a valid remote name|invalid (?:initial )?branch name/.test(
      words,
    )
  )
    return BadWords(why)
  if (/[Cc]ouldn't find remote ref|Remote branch .* not found/.test(words)) return NoSuchBranch(why)
  return GitFailed(why)
}

/** What a lock means that stands: a git that was killed leaves it, and nobody but a person can tell. */
export function heldBy(lock: string): string {
  return `another git works in this repository, or one was killed and left its lock: where none runs any more, remove ${lock}`
}

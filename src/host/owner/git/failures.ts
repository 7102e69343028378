import type { Problem } from '../../../core/problem.ts'
import { DiskFull, NotPermitted } from '../problems.ts'
import { BadWords, GitFailed, InTheWay, NoSuchBranch } from './problems.ts'
import { complaint } from './words.ts'

/** What it means that git failed with these words, where nothing more is known of it. */
export function gitFailure(words: string, where = ''): Problem {
  const why = `${where}${complaint(words) || 'git failed and said nothing'}`
  if (/Disk quota exceeded/.test(words)) return DiskFull(`${where}the disk quota of the account is used up`)
  if (/No space left on device/.test(words)) return DiskFull(`${where}the disk that holds the home is full`)
  if (/\.lock': File exists/.test(words)) return InTheWay(`Another git works in this repository, or one was killed and left its lock: ${why}`)
  if (/insufficient permission|: Permission denied\s*$/m.test(words)) return NotPermitted(why)
  if (/could not lock config file .*: File exists|cannot lock ref /.test(words)) return InTheWay(`Another git works in this repository: ${why}`)
  if (/disallowed characters|empty ident name|is not a valid remote name|invalid (?:initial )?branch name/.test(words)) return BadWords(why)
  if (/[Cc]ouldn't find remote ref|Remote branch .* not found/.test(words)) return NoSuchBranch(why)
  return GitFailed(why)
}

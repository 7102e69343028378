import { nameOf } from '../paths.ts'

export type JobVerb = 'pack' | 'unpack' | 'copy' | 'move' | 'fetch' | 'clone' | 'pull' | 'push'

/** The result of a file job, as far as it is reported. */
export interface Result {
  readonly archive?: string
  readonly files?: number
  readonly replaced?: number
  readonly not_kept?: number
  /** The file that was downloaded. */
  readonly file?: string
  /** The result of a pull. */
  readonly before?: string | null
  readonly commit?: string | null
  /** The destination of a push. */
  readonly remote?: string
  readonly branch?: string
}

interface Named {
  readonly verb: JobVerb
  readonly name: string
  readonly count: number
}

/** The verbs for running jobs. */
export const doingText: Readonly<Record<JobVerb, string>> = {
  pack: 'Compressing',
  unpack: 'Extracting',
  copy: 'Copying',
  move: 'Moving',
  fetch: 'Fetching',
  clone: 'Cloning',
  pull: 'Pulling',
  push: 'Pushing',
}

/** Returns the label of the files that a job works on. */
export function subjectOf({ verb, name, count }: Named): string {
  return count > 1 && (verb === 'copy' || verb === 'move') ? `${name} and ${count - 1} more` : name || 'Home'
}

/** Returns the message for a job that has succeeded. */
export function doneText(named: Named, result: Result): string {
  const { archive, files = 0 } = result
  if (named.verb === 'pack') return `${nameOf(archive ?? named.name)} was created.`
  if (named.verb === 'unpack')
    return `${named.name} was extracted: ${files.toLocaleString()} ${files === 1 ? 'entry' : 'entries'}.${replacedText(result)}`
  if (named.verb === 'copy' || named.verb === 'move')
    return `${subjectOf(named)} ${named.count > 1 ? 'were' : 'was'} ${named.verb === 'copy' ? 'copied' : 'moved'}.`
  return broughtText(named, result)
}

function broughtText(named: Named, { file, before, commit, remote, branch }: Result): string {
  if (named.verb === 'fetch') return `${nameOf(file ?? named.name)} was downloaded.`
  const folder = subjectOf(named)
  if (named.verb === 'clone') return `${folder} was cloned.`
  if (named.verb === 'push') return `${folder} was pushed to ${remote}/${branch}.`
  return before === commit ? `${folder} is already up to date.` : `New commits were pulled into ${folder}.`
}

function replacedText({ replaced = 0, not_kept: notKept = 0 }: Result): string {
  if (replaced === 0) return ''
  const were = replaced === 1 ? ' 1 file was replaced' : ` ${replaced.toLocaleString()} files were replaced`
  if (notKept === 0)
    return `${were}: the former ${replaced === 1 ? 'content is' : 'contents are'} in the history.`
  return `${were}: ${notKept.toLocaleString()} of them without a version in the history.`
}

import type { JobRun } from '../../../core/job.ts'

// The parts of a transfer that git counts, and which share of the whole each is.
const shares = new Map([
  ['Receiving objects', { from: 0, to: 80 }],
  ['Resolving deltas', { from: 80, to: 92 }],
  ['Updating files', { from: 92, to: 100 }],
  ['Compressing objects', { from: 0, to: 20 }],
  ['Writing objects', { from: 20, to: 95 }],
])

/** Turns what git says into a job's progress and output. */
export function tellsProgress({
  progress,
  output,
}: Pick<JobRun<unknown>, 'progress' | 'output'>): (line: string) => void {
  const ignore = () => {} // a job whose events cannot be written fails at its end, and says so
  return (line) => {
    const percent = percentOf(line)
    if (percent === undefined) output(line).catch(ignore)
    else progress(percent, line).catch(ignore)
  }
}

/** How far a line of git's progress says that the whole is; null where it counts something else, undefined where it counts nothing. */
export function percentOf(line: string): number | null | undefined {
  const [, side, part = '', percent = '0'] = /^(remote: )?([A-Z][a-z]+ [a-z]+): +(\d{1,3})%/.exec(line) ?? []
  if (part === '') return /^(?:remote: )?[A-Z][a-z]+ [a-z]+: \d+/.test(line) ? null : undefined
  const share = side === undefined ? shares.get(part) : undefined
  return share === undefined
    ? null
    : share.from + (Math.min(100, Number(percent)) / 100) * (share.to - share.from)
}

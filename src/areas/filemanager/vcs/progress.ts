import type { StepRun } from '../../../core/change.ts'

// The phases of a transfer whose progress git reports, with their share of the whole in percent.
const shares = new Map([
  ['Receiving objects', { from: 0, to: 80 }],
  ['Resolving deltas', { from: 80, to: 92 }],
  ['Updating files', { from: 92, to: 100 }],
  ['Compressing objects', { from: 0, to: 20 }],
  ['Writing objects', { from: 20, to: 95 }],
])

/** Turns git's output into the progress and output of a step. */
export function reportGitProgress({
  progress,
  output,
}: Pick<StepRun<unknown>, 'progress' | 'output'>): (line: string) => void {
  return (line) => {
    const percent = percentOf(line)
    if (percent === undefined) output(line)
    else progress(percent, line)
  }
}

/** Returns the overall percentage in a line of git's progress; null if it counts something else, undefined if it is not progress. */
export function percentOf(line: string): number | null | undefined {
  const [, side, part = '', percent = '0'] = /^(remote: )?([A-Z][a-z]+ [a-z]+): +(\d{1,3})%/.exec(line) ?? []
  if (part === '') return /^(?:remote: )?[A-Z][a-z]+ [a-z]+: \d+/.test(line) ? null : undefined
  const share = side === undefined ? shares.get(part) : undefined
  return share === undefined
    ? null
    : share.from + (Math.min(100, Number(percent)) / 100) * (share.to - share.from)
}

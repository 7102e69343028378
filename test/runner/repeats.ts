import { isRed } from './again.ts'
import type { TestOutcome } from './test-process.ts'

const option = '--repeat='

/** Reads `--repeat=N` from the arguments of a run; the others are its filters. */
export function readRepeats(args: readonly string[]): {
  readonly repeats: number
  readonly filters: readonly string[]
} {
  const value = args.find((arg) => arg.startsWith(option))?.slice(option.length) ?? '1'
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new Error(`${option}${value}: a whole number from 1 to 9999`)
  return { repeats: Number(value), filters: args.filter((arg) => !arg.startsWith(option)) }
}

/** Runs the suites several times in a row, and prints how often each failed. */
export async function runRepeatedly(
  repeats: number,
  run: () => Promise<readonly TestOutcome[]>,
): Promise<readonly TestOutcome[]> {
  const all: TestOutcome[] = []
  for (let round = 1; round <= repeats; round++) {
    if (repeats > 1) process.stdout.write(`\nround ${round} of ${repeats}\n`)
    all.push(...(await run()))
  }
  const failures = Map.groupBy(all.filter(isRed), ({ title }) => title)
  if (repeats > 1)
    for (const [title, red] of failures)
      process.stdout.write(`  ${title} failed in ${red.length} of ${repeats} rounds\n`)
  return all
}

/** When `.ci/run` starts no further suite that only the rotation selected, in milliseconds since the epoch. */
export function shedAt(): number {
  return Number(process.env['HOSTREEVE_CI_SHED'] ?? Infinity) * 1000
}

import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { again } from '../test/runner/again.ts'
import { atOnce } from '../test/runner/at-once.ts'
import { byFile, countedOnce } from '../test/runner/by-file.ts'
import { printClosing, printTest } from '../test/runner/closing.ts'
import { isGate } from '../test/runner/is-gate.ts'
import { missingPackages } from '../test/runner/programs.ts'
import { checkout, runTestProcess, type TestOutcome, type TestPlan } from '../test/runner/test-process.ts'
import { selectedFiles } from './selection.ts'

/** Tests next to the code: those of any machine, those in homes under other uids, and those with the real programs. */
export type TestKind = 'unit' | 'homes' | 'tool'

interface KindOptions {
  readonly command: string
  readonly what: string
  /** The suffix of its file names. */
  readonly ending: RegExp
  readonly preload?: readonly string[]
}

// Limits that only a hang exceeds, so that a busy machine fails no test.
const processLimitMs = 1_200_000
const testLimitMs = 180_000

const kinds: Readonly<Record<TestKind, KindOptions>> = {
  unit: {
    command: 'npm test',
    what: 'needs no program of this machine',
    ending: /^(?!.*\.(?:homes|tool)\.test\.ts$)/,
    preload: [new URL('../test/runner/no-programs.ts', import.meta.url).href],
  },
  homes: {
    command: 'npm run test:homes',
    what: 'git, bubblewrap and archivers under the uid of an owner (root)',
    ending: /\.homes\.test\.ts$/,
  },
  tool: {
    command: 'npm run test:tools',
    what: 'the programs of this machine in scratch folders (root)',
    ending: /\.tool\.test\.ts$/,
  },
}

/** Test folders that have their own runner, with the command that runs them. */
const folders = [
  ['test/hosts', 'the real programs on throw-away hosts (root, Debian)', 'npm run test:hosts'],
  ['test/hosts', 'the same with thousands of rounds and a minute of load', 'npm run test:long'],
  ['test/browser', 'the panel in Chromium', 'npm run test:browser'],
  ['test/bench', 'costs as ratios', 'npm run bench'],
] as const

/** Runs the tests of a kind, all or those whose paths contain one of the filters; returns the exit code. */
export async function runTests(filters: readonly string[], kind: TestKind = 'unit'): Promise<number> {
  const all = allFiles().filter((file) => filters.length === 0 || filters.some((word) => file.includes(word)))
  const ofKind = all.filter((file) => kinds[kind].ending.test(file))
  if (ofKind.length === 0) return refuse(noneFound(filters, all))
  const files = kind === 'unit' ? ofKind : selectedFiles(ofKind)
  if (files.length < ofKind.length)
    process.stdout.write(`${files.length} of ${ofKind.length} files: the change concerns no others\n`)
  const reason = kind === 'unit' ? undefined : reasonAgainst()
  if (reason !== undefined) return refuse(`${kinds[kind].command}: ${reason}`)
  const plans = plansOf(files, kind)
  const run = (plan: TestPlan) => runTestProcess(plan, (test) => printTest(test, filters.length > 0))
  const first = await atOnce(plans, plans.length, run)
  const outcomes = isGate() ? await repeatFailed(plans, first, run) : first
  return printClosing(withoutSkips(outcomes, kind), filters.length > 0 ? [] : leftOut(kind))
}

/** Runs each file with a failure again, alone, and the whole of a process that failed beyond its files. */
function repeatFailed(
  plans: readonly TestPlan[],
  first: readonly TestOutcome[],
  run: (plan: TestPlan) => Promise<TestOutcome>,
): Promise<readonly TestOutcome[]> {
  const perFile = first.flatMap((outcome, at) => byFile(outcome, plans[at]?.files ?? []))
  return again(perFile, async (red) => {
    const whole = plans.find(({ title }) => title === red.title)
    if (whole !== undefined) return run(whole)
    const { timeoutMs, testTimeoutMs, preload } = plans[0] as TestPlan
    const alone = {
      title: red.title,
      files: [red.title],
      timeoutMs,
      testTimeoutMs,
      ...(preload && { preload }),
    }
    return countedOnce(red, await run(alone))
  })
}

/** Every test file that has no runner of its own. */
function allFiles(): readonly string[] {
  const all = globSync('{src,test,scripts}/**/*.test.ts', { cwd: checkout })
  return all.filter((file) => !folders.some(([folder]) => file.startsWith(`${folder}/`))).toSorted()
}

// Neighbours in the list test the same area at a similar cost: distributed one by one, the processes end
// together. Tests that wait for programs leave the processor to others, so they get more processes.
function plansOf(files: readonly string[], kind: TestKind): readonly TestPlan[] {
  const wanted = kind === 'unit' ? Math.min(4, availableParallelism()) : 4
  const count = files.length < 8 ? 1 : wanted
  const { preload } = kinds[kind]
  return Array.from({ length: count }, (_, at) => ({
    title: `${kinds[kind].command} (${at + 1} of ${count})`,
    files: files.filter((_file, index) => index % count === at),
    timeoutMs: processLimitMs,
    testTimeoutMs: testLimitMs,
    ...(preload && { preload }),
  }))
}

function reasonAgainst(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux'
  if (process.getuid?.() !== 0) return 'needs root: these tests work under other uids'
  const missing = missingPackages()
  return missing.length === 0 ? undefined : `some programs are missing: apt-get install ${missing.join(' ')}`
}

/** In CI a skipped test with a real program is a failure, so that no omission goes unnoticed; what a variable adds is left out. */
function withoutSkips(outcomes: readonly TestOutcome[], kind: TestKind): readonly TestOutcome[] {
  if (kind === 'unit' || !process.env['CI']) return outcomes
  return outcomes.map((outcome) => {
    const skipped = outcome.skipped.filter(({ reason }) => /HOSTREEVE_(LONG|ALL|QUARANTINE)/.test(reason))
    const failed = outcome.skipped.filter((test) => !skipped.includes(test))
    const counts = { ...outcome.counts, failed: outcome.counts.failed + failed.length }
    return { ...outcome, counts, failed: [...outcome.failed, ...failed], skipped }
  })
}

function leftOut(kind: TestKind): readonly string[] {
  const others = Object.entries(kinds).filter(([name]) => name !== kind)
  const rows = [
    ...others.map(([, { what, command }]) => [what, command] as const),
    ...folders.map((row) => row.slice(1)),
  ]
  return rows.map(([what = '', command = '']) => `  ${what.padEnd(66)}${command}`)
}

function noneFound(filters: readonly string[], inOtherKinds: readonly string[]): string {
  const commands = Object.values(kinds)
    .filter(({ ending }) => inOtherKinds.some((file) => ending.test(file)))
    .map(({ command }) => `${command} -- ${filters.join(' ')}`)
  const hint = commands.length === 0 ? '' : `; tests of another kind: ${commands.join(', ')}`
  return `no test file's path contains ${filters.join(' or ')}${hint}`
}

function refuse(reason: string): number {
  process.stderr.write(`${reason}\n`)
  return 2
}

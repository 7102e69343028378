import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { quarantine } from '../quarantine.ts'
import { isGate } from './is-gate.ts'
import type { Counts, FinishedTest, ReportLine } from './reporter.ts'
import { setAside } from './set-aside.ts'

/** Test files that run together in one process. */
export interface TestPlan {
  /** The name of the plan in the output. */
  readonly title: string
  /** Paths below the checkout. */
  readonly files: readonly string[]
  readonly testTimeoutMs: number
  /** The process is killed after this time. */
  readonly timeoutMs: number
  readonly env?: Readonly<Record<string, string>>
  /** Modules that are loaded before the tests. */
  readonly preload?: readonly string[]
}

/** The outcome of a test process. */
export interface TestOutcome {
  readonly title: string
  readonly counts: Counts
  readonly failed: readonly FinishedTest[]
  readonly skipped: readonly FinishedTest[]
  readonly seconds: number
}

/** The checkout, with a slash at the end. */
export const checkout = fileURLToPath(new URL('../../', import.meta.url))

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const noCounts: Counts = { tests: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 }

/** Runs the files of a plan in a process of their own, and calls `onTest` for each test that ends. */
export async function runTestProcess(
  plan: TestPlan,
  onTest: (test: FinishedTest) => void,
): Promise<TestOutcome> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, argumentsOf(plan), {
    cwd: checkout,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, ...plan.env, HOSTREEVE_TEST_FILES: JSON.stringify(plan.files) },
  })
  const forward = (signal: NodeJS.Signals) => void child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, forward)
  let isLate = false
  const timer = setTimeout(() => (isLate = child.kill('SIGKILL')), plan.timeoutMs)
  const [report, [code, signal]] = await Promise.all([
    readReport(child.stdio[3] as Readable, onTest),
    once(child, 'exit') as Promise<[number | null, string | null]>,
  ])
  clearTimeout(timer)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, forward)
  const { counts = noCounts, tests } = report
  const failed = tests.filter((test) => test.outcome === 'failed')
  const end = isLate ? `did not end within ${plan.timeoutMs / 1000} s` : `ended with ${signal ?? code}`
  // a process that fails without a failed test is a failure of its own: it must not pass unnamed
  if (isLate || (code !== 0 && failed.length === 0)) failed.push(processFailure(plan, end))
  const outcome = {
    title: plan.title,
    counts: { ...counts, failed: Math.max(counts.failed, failed.length - counts.cancelled) },
    failed,
    skipped: tests.filter((test) => test.outcome === 'skipped'),
    seconds: (performance.now() - startedAt) / 1000,
  }
  return isGate() ? setAside(outcome, quarantine) : outcome
}

function argumentsOf({ preload = [], testTimeoutMs }: TestPlan): readonly string[] {
  return [
    ...preload.flatMap((module) => ['--import', module]),
    '--test',
    '--test-isolation=none',
    `--test-timeout=${testTimeoutMs}`,
    `--test-reporter=${here('reporter.ts')}`,
    here('load-files.ts'),
  ]
}

async function readReport(
  lines: Readable,
  onTest: (test: FinishedTest) => void,
): Promise<{ readonly counts?: Counts; readonly tests: readonly FinishedTest[] }> {
  const tests: FinishedTest[] = []
  let counts: Counts | undefined
  for await (const text of createInterface(lines)) {
    const line = JSON.parse(text) as ReportLine
    if (line.kind === 'counts') counts = line.counts
    else {
      tests.push(line)
      onTest(line)
    }
  }
  return { ...(counts && { counts }), tests }
}

function processFailure({ title, files }: TestPlan, reason: string): FinishedTest {
  return {
    kind: 'test',
    outcome: 'failed',
    place: files.length === 1 ? (files[0] as string) : `${files.length} files`,
    title: `the process of ${title}`,
    durationMs: 0,
    reason: `The process ${reason}; the last test that it reported, or what keeps it alive, tells more.`,
  }
}

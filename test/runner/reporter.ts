import { writeSync } from 'node:fs'
import type { TestEvent as RunnerEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** A test that ended, as the process that ran it reports it. */
export interface FinishedTest {
  readonly kind: 'test'
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Path and line. */
  readonly place: string
  /** The titles of its file, its suites and its own. */
  readonly title: string
  readonly durationMs: number
  /** The error with which it failed, or the reason why it was skipped. */
  readonly reason: string
}

/** Counts of tests, as Node's test runner reports them at the end of a process. */
export interface Counts {
  readonly tests: number
  readonly suites: number
  readonly passed: number
  readonly failed: number
  readonly cancelled: number
  readonly skipped: number
  readonly todo: number
}

/** One line of the report. */
export type ReportLine = FinishedTest | { readonly kind: 'counts'; readonly counts: Counts }

/** The descriptor that the parent reads; standard output belongs to the tests. */
const descriptor = 3

/** A reporter for `node --test`: one JSON line for each test that ended, the counts last. */
// oxlint-disable-next-line import/no-default-export -- Node loads the default export of a reporter
export default async function* report(events: AsyncIterable<RunnerEvent>): AsyncGenerator<string> {
  const titles: string[] = []
  for await (const event of events) {
    if (event.type === 'test:start') titles[event.data.nesting] = event.data.name
    const line = toLine(event, titles)
    if (line !== undefined) writeSync(descriptor, `${JSON.stringify(line)}\n`)
  }
  yield ''
}

function toLine(event: RunnerEvent, titles: readonly string[]): ReportLine | undefined {
  if (event.type === 'test:summary') return { kind: 'counts', counts: event.data.counts as never }
  if (event.type === 'test:diagnostic') return lateError(event.data.message)
  if (event.type !== 'test:pass' && event.type !== 'test:fail') return undefined
  const { data } = event
  const { error, type } = data.details as { readonly error?: Error; readonly type?: string }
  const isSkipped = data.skip !== undefined && data.skip !== false
  if (isOfItsTests(error) || (type === 'suite' && error === undefined && !isSkipped)) return undefined
  return {
    kind: 'test',
    outcome: error !== undefined ? 'failed' : isSkipped ? 'skipped' : 'passed',
    place: `${data.file ?? ''}:${data.line ?? 0}`,
    title: [...titles.slice(0, data.nesting), data.name].join(' › '),
    durationMs: data.details.duration_ms,
    reason: error === undefined ? String(data.skip ?? '') : inspect(error.cause ?? error, { depth: 4 }),
  }
}

/** A suite fails if one of its tests failed, which was reported on its own. */
function isOfItsTests(error: Error | undefined): boolean {
  return error !== undefined && 'failureType' in error && error.failureType === 'subtestsFailed'
}

/** An error thrown after its test has ended fails the process, but no test. */
function lateError(message: string): FinishedTest | undefined {
  if (!message.includes('generated asynchronous activity')) return undefined
  const title = 'an error after the end of its test'
  return { kind: 'test', outcome: 'failed', place: '', title, durationMs: 0, reason: message }
}

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { atOnce } from './at-once.ts'
import { runSuites } from './suites.ts'
import { runTestProcess, type TestOutcome } from './test-process.ts'

const files = {
  first: "test('one', () => {}); beforeEach(() => void (globalThis.hooks += 'first '))",
  second:
    "test('two', () => assert.equal(globalThis.hooks, 'second ')); beforeEach(() => void (globalThis.hooks = 'second '))",
  fails:
    "describe('suite', () => { it('bad', () => assert.equal(1, 2)); it('left', { skip: 'why' }, () => {}) })",
  throws: "test('declared', () => {}); throw new Error('while it is loaded')",
  late: "test('early', () => void setTimeout(() => { throw new Error('too late') }, 20))",
  exits: "test('fine', () => {}); setTimeout(() => process.exit(3), 50)",
  hangs: "test('fine', () => {}); setInterval(() => {}, 1000)",
  starts: "test('starts', () => void execFileSync('git', ['--version']))",
} as const

const head = `import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { beforeEach, describe, it, test } from 'node:test'
globalThis.hooks ??= ''
`

describe('a process of tests', { concurrency: true }, () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'runner-'))
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(folder, `${name}.test.ts`), head + text)
  })
  after(() => rmSync(folder, { recursive: true }))

  const run = (names: readonly (keyof typeof files)[], more: object = {}): Promise<TestOutcome> => {
    const paths = names.map((name) => join(folder, `${name}.test.ts`))
    return runTestProcess(
      { title: 'x', files: paths, testTimeoutMs: 5000, timeoutMs: 60_000, ...more },
      () => {},
    )
  }
  const reasons = ({ failed }: TestOutcome) => failed.map(({ reason }) => reason).join('\n')

  it('keeps the hooks at the top of a file to its own tests', async () => {
    const outcome = await run(['first', 'second'])
    assert.deepEqual([reasons(outcome), outcome.counts.passed, outcome.counts.failed], ['', 2, 0])
  })

  it('names what failed with its suites, and what was skipped with the reason', async () => {
    const { failed, skipped, counts } = await run(['fails'])
    assert.match(failed.map(({ title }) => title).join(), /fails\.test\.ts › suite › bad$/)
    assert.deepEqual(
      skipped.map(({ title, reason }) => `${title.split(' › ').at(-1)}: ${reason}`),
      ['left: why'],
    )
    assert.deepEqual([counts.passed, counts.failed, counts.skipped], [0, 1, 1])
  })

  it('fails for a file that throws after it has declared a test', async () => {
    assert.match(reasons(await run(['throws'])), /while it is loaded/)
  })

  it('fails for an error that is thrown when its test has ended', async () => {
    assert.match(reasons(await run(['late'])), /too late/)
  })

  it('fails, and is named, where it ends before its tests are counted or does not end', async () => {
    assert.match(reasons(await run(['exits'])), /ended with 3/)
    const outcome = await run(['hangs'], { timeoutMs: 3000 })
    assert.match(reasons(outcome), /did not end within 3 s/)
    assert.equal(outcome.counts.failed, 1)
  })

  it('fails for a test that starts a program, where none may be needed', async () => {
    const preload = [new URL('no-programs.ts', import.meta.url).href]
    assert.match(reasons(await run(['starts'], { preload })), /this test starts git: name its file/)
  })

  it('reports a suite that takes more than twice its line, and does not fail it', async () => {
    const suites = { folder, names: ['second'], limit: 1, testTimeoutMs: 5000, secondsOf: () => 0.01 }
    const [late] = await runSuites(suites)
    assert.equal(reasons(late!), '')
  })

  it('starts no spare suite once time runs short, and runs the others first', async () => {
    const suites = { folder, names: ['second', 'first'], limit: 1, testTimeoutMs: 5000, secondsOf: () => 1 }
    const isSpare = (name: string) => name === 'second'
    const titles = async (shedAt: number) =>
      (await runSuites({ ...suites, isSpare, shedAt })).map(({ title }) => title)
    assert.deepEqual(await titles(Infinity), ['first', 'second'])
    assert.deepEqual(await titles(0), ['first'])
  })
})

describe('work that is done at once', () => {
  it('keeps to its limit and its order, and begins with the first', async () => {
    const log: string[] = []
    const results = await atOnce([3, 1, 2], 2, async (item) => {
      log.push(`begin ${item}`)
      for (let turn = 0; turn < item; turn++) await Promise.resolve()
      log.push(`end ${item}`)
      return item * 10
    })
    assert.deepEqual(results, [30, 10, 20])
    assert.deepEqual(log.slice(0, 2), ['begin 3', 'begin 1'])
    assert.ok(log.indexOf('begin 2') > Math.min(log.indexOf('end 3'), log.indexOf('end 1')))
  })
})

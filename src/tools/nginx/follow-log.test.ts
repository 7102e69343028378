import assert from 'node:assert/strict'
import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { scratchRoot } from '../../../test/support/step-suite.ts'
import { followLog } from './follow-log.ts'

function following(t: TestContext, lines: number, path = `${scratchRoot(t)}/access.log`) {
  const ending = new AbortController()
  const feed = followLog(path, {
    lines,
    isFollowing: true,
    signal: AbortSignal.any([ending.signal, AbortSignal.timeout(60_000)]),
  })
  t.after(() => ending.abort())
  const next = async (count: number) => {
    const found: (string | undefined)[] = []
    while (found.length < count) found.push((await feed.next()).value ?? undefined)
    return found
  }
  return { path, next, end: () => ending.abort(), feed }
}

test('begins with the last lines, and goes on with those to come once they are complete', async (t) => {
  const { path, next } = following(t, 2)
  writeFileSync(path, 'one\ntwo\nthrée\n')
  assert.deepEqual(await next(2), ['two', 'thrée'])
  appendFileSync(path, 'four\nfi')
  assert.deepEqual(await next(1), ['four'])
  appendFileSync(path, 've\n')
  assert.deepEqual(await next(1), ['five'])
})

test('reads a rotated log to its end, then its successor, and one that was emptied anew', async (t) => {
  const { path, next } = following(t, 1)
  writeFileSync(path, 'old\n')
  assert.deepEqual(await next(1), ['old'])
  appendFileSync(path, 'before\n')
  renameSync(path, `${path}.1`)
  appendFileSync(`${path}.1`, 'late\n')
  writeFileSync(path, 'after\n')
  assert.deepEqual(await next(3), ['before', 'late', 'after'])
  truncateSync(path)
  appendFileSync(path, 'x\n')
  assert.deepEqual(await next(1), ['x'])
})

test('waits for a log that does not exist yet, and ends with its reader', async (t) => {
  const { path, next, end, feed } = following(t, 5)
  const first = next(1)
  writeFileSync(path, 'first\n')
  assert.deepEqual(await first, ['first'])
  end()
  assert.equal((await feed.next()).done, true)
})

test('ends with the last lines where those to come are not asked for', async (t) => {
  const path = `${scratchRoot(t)}/access.log`
  writeFileSync(path, 'one\ntwo\n')
  const signal = AbortSignal.timeout(60_000)
  const lines: string[] = []
  for await (const line of followLog(path, { lines: 5, isFollowing: false, signal })) lines.push(line)
  assert.deepEqual(lines, ['one', 'two'])
})

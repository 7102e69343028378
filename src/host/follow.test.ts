import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFollow } from './follow.ts'
import { run } from './run.ts'

const follow = openFollow(run)
const node = (script: string) => [process.execPath, '-e', script] as const
const timeoutMs = 20_000

async function allOf(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

test('yields each line while the program runs, and its exit status at the end', async () => {
  const script = `console.log('ready'); process.stdin.once('data', () => { process.stdout.write('é\\nlast'); process.exitCode = 3 })`
  const { lines, result } = follow(node(script), { timeoutMs, input: 'go' })
  assert.deepEqual(await allOf(lines), ['ready', 'é', 'last'])
  assert.equal((await result).code, 3)
})

test('reads a line before the program has ended, and ends it when the reader leaves', async () => {
  const { lines, result } = follow(node(`console.log('begun'); setInterval(() => {}, 1000)`), { timeoutMs })
  for await (const line of lines) {
    assert.equal(line, 'begun')
    break
  }
  assert.equal((await result).code, 124)
})

test('cuts long lines, and ends the program after the last line that is read', async () => {
  const script = `const write = () => process.stdout.write('x'.repeat(100000) + '\\n', write); write()`
  const { lines, result } = follow(node(script), { timeoutMs, maxLineBytes: 10, maxLines: 3 })
  assert.deepEqual(await allOf(lines), ['xxxxxxxxxx', 'xxxxxxxxxx', 'xxxxxxxxxx'])
  assert.equal((await result).isCut, true)
})

test('ends when its signal does, and after its time', async () => {
  const endless = node(`console.log('begun'); setInterval(() => {}, 1000)`)
  const stop = new AbortController()
  const stopped = follow(endless, { timeoutMs, signal: stop.signal })
  for await (const _line of stopped.lines) stop.abort()
  assert.equal((await stopped.result).code, 124)
  const late = follow(endless, { timeoutMs: 300 })
  await allOf(late.lines)
  assert.equal((await late.result).code, 124)
})

test('a missing program is an exit status', async () => {
  const { lines, result } = follow(['no-such-program-here'], { timeoutMs })
  assert.deepEqual(await allOf(lines), [])
  assert.equal((await result).code, 127)
})

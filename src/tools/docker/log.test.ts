import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { openEngine } from './engine.ts'
import { type PrintedLine, readLog } from './log.ts'
import { standInEngine } from './testing/stand-in-engine.ts'

const frame = (stream: 1 | 2, text: string) => {
  const content = Buffer.from(text)
  const head = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(content.length, 4)
  return Buffer.concat([head, content])
}

test('lines of both streams are whole wherever the chunks of the connection end', async () => {
  const sent = Buffer.concat([
    frame(1, '2026-11-28T03:00:01.5Z grün ☕'),
    frame(2, '2026-11-28T03:00:02Z Störung\n'),
    frame(1, ' fertig\r\n'),
    frame(1, 'without a time'),
  ])
  const bytes = Array.from(sent, (byte) => Buffer.from([byte]))
  const { connection } = standInEngine()
  const engine = openEngine({
    ...connection,
    stream: async () => ({ status: 200, body: Readable.from(bytes) }),
  })
  const signal = AbortSignal.timeout(60_000)
  const wanted = { tail: 5, isFollowing: false, sinceMs: undefined, isTerminal: false, signal }
  const lines: PrintedLine[] = []
  for await (const line of readLog(engine, 'web', wanted)) lines.push(line)
  assert.deepEqual(lines, [
    { time: '2026-11-28T03:00:02.000Z', stream: 'stderr', message: 'Störung' },
    { time: '2026-11-28T03:00:01.500Z', stream: 'stdout', message: 'grün ☕ fertig' },
    { time: null, stream: 'stdout', message: 'without a time' },
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHttping } from './index.ts'

test('the summary of httping is read, and a missing one is a loss of 100 percent', () => {
  const output = `PING 127.0.0.1:80 (/):
connected to 127.0.0.1:80 (160 bytes), seq=0 time=  0.56 ms
--- http://127.0.0.1/ ping statistics ---
4 connects, 3 ok, 25.00% failed, time 4003ms
round-trip min/avg/max = 0.5/0.6/0.7 ms
`
  const { lines, ...summary } = readHttping(output)
  assert.equal(lines.length, 5)
  assert.deepEqual(summary, { minMs: '0.5', avgMs: '0.6', maxMs: '0.7', lossPercent: '25' })
  assert.equal(readHttping('could not connect').lossPercent, '100')
})

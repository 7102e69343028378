import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readPing } from './read-ping.ts'

const answered = `PING 192.0.2.7 (192.0.2.7) 64(92) bytes of data.
72 bytes from 192.0.2.7: icmp_seq=1 ttl=64 time=0.045 ms
72 bytes from 192.0.2.7: icmp_seq=2 ttl=64 time=0.051 ms

--- 192.0.2.7 ping statistics ---
2 packets transmitted, 2 received, 0% packet loss, time 1002ms
rtt min/avg/max/mdev = 0.045/0.048/0.051/0.003 ms
`
const silent = `PING 192.0.2.9 (192.0.2.9) 64(92) bytes of data.
From 192.0.2.1 icmp_seq=1 Destination Host Unreachable

--- 192.0.2.9 ping statistics ---
3 packets transmitted, 0 received, +1 errors, 100% packet loss, time 2040ms
`

describe('the output of ping', () => {
  it('has replies and a summary', () => {
    const { replies, output, ...summary } = readPing({ stdout: answered, stderr: '' })
    assert.deepEqual(replies[1], { seq: 2, from: '192.0.2.7', ttl: 64, time_ms: 0.051 })
    assert.equal(output, answered)
    assert.deepEqual(summary, {
      hasRun: true,
      transmitted: 2,
      received: 2,
      lossPercent: 0,
      minMs: 0.045,
      avgMs: 0.048,
      maxMs: 0.051,
    })
  })

  it('of a host that is silent has a summary without times', () => {
    const { replies, transmitted, lossPercent, maxMs } = readPing({ stdout: silent, stderr: '' })
    assert.deepEqual([replies, transmitted, lossPercent, maxMs], [[], 3, 100, 0])
  })

  it('of a program that could not start is its error message', () => {
    const { hasRun, lossPercent, output } = readPing({ stdout: '', stderr: 'ping: not found' })
    assert.deepEqual([hasRun, lossPercent, output], [false, 100, 'ping: not found'])
  })
})

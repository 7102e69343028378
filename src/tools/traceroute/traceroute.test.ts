import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHops } from './index.ts'

test('the hops of traceroute are read with their times, and those that are silent', () => {
  const output = `traceroute to 192.0.2.9 (192.0.2.9), 30 hops max, 60 byte packets
 1  10.0.0.1  0.512 ms  0.498 ms  0.601 ms
 2  * * *
 3  2001:db8::9  9.1 ms * 8.0 ms
`
  assert.deepEqual(readHops(output), [
    { hop: 1, host: '10.0.0.1', times_ms: [0.512, 0.498, 0.601] },
    { hop: 2, host: '', times_ms: [null, null, null] },
    { hop: 3, host: '2001:db8::9', times_ms: [9.1, null, 8] },
  ])
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isDirectLoopback } from './own-site.ts'

const request = (
  headers: Readonly<Record<string, string>>,
  socket: object = { remoteAddress: '127.0.0.1' },
) => ({ headers, host: headers['host'] ?? '', socket }) as never

describe('a direct request of this host', () => {
  it('comes over loopback for a local name, or over the unix socket', () => {
    for (const host of ['localhost:7070', '127.0.0.1', '[::1]:7070'])
      assert.ok(isDirectLoopback(request({ host })))
    assert.ok(isDirectLoopback(request({ host: 'panel' }, {})))
  })

  it('is none where a header says that it was forwarded, or the Host is a foreign name', () => {
    const host = 'localhost'
    for (const name of [
      'forwarded',
      'via',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-real-ip',
      'cf-connecting-ip',
    ])
      assert.ok(!isDirectLoopback(request({ host, [name]: 'x' })), name)
    assert.ok(!isDirectLoopback(request({ host: 'panel.example.com' })))
    assert.ok(!isDirectLoopback(request({ host }, { remoteAddress: '192.0.2.1' })))
  })
})

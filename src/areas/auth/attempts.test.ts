import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openSignInAttempts } from './attempts.ts'
import { TooManyAttempts } from './problems.ts'

/** Attempts whose delays are recorded instead of waited for. */
function open() {
  const delays: number[] = []
  let now = 0
  const attempts = openSignInAttempts({ delay: async (ms) => void delays.push(ms), clock: () => now })
  const { signal } = new AbortController()
  const begin = (email: string, ip: string, seconds = 0) => {
    now = seconds * 1000
    return attempts.begin({ email, ip, signal })
  }
  const fail = async (times: number, email: string, ip: string, seconds = 0) => {
    for (let time = 0; time < times; time++) await begin(email, ip, seconds)
  }
  return { attempts, delays, begin, fail }
}

const refused = (retryAfter: number) => (error: { kind: unknown; headers: object }) => {
  assert.equal(error.kind, TooManyAttempts)
  assert.deepEqual(error.headers, { 'retry-after': String(retryAfter) })
  return true
}

describe('failed sign-ins', () => {
  it('refuses a pair of address and account after ten in a minute, whatever the case of the e-mail address', async () => {
    const { begin, fail } = open()
    await fail(10, 'ada@example.com', '192.0.2.1')
    await assert.rejects(begin('Ada@Example.com', '192.0.2.1', 20), refused(40))
    await begin('ada@example.com', '192.0.2.1', 60)
  })

  it('leaves the same account open for other addresses, and other accounts for the same address', async () => {
    const { begin, fail, delays } = open()
    await fail(10, 'ada@example.com', '192.0.2.1')
    await begin('ada@example.com', '192.0.2.2')
    await begin('eve@example.com', '192.0.2.1')
    assert.deepEqual(delays, [])
  })

  it('counts attempts that are still under way, and not those that succeeded', async () => {
    const { begin, fail } = open()
    await fail(9, 'ada@example.com', '192.0.2.1')
    const succeed = await begin('ada@example.com', '192.0.2.1')
    await assert.rejects(begin('ada@example.com', '192.0.2.1'), refused(60))
    succeed()
    await begin('ada@example.com', '192.0.2.1')
  })

  it('delays, and never refuses, an account with more than 100 failures an hour from many addresses', async () => {
    const { begin, fail, delays } = open()
    for (let address = 0; address < 20; address++) await fail(5, 'ada@example.com', `192.0.2.${address}`)
    assert.deepEqual(delays, [])
    for (let address = 0; address < 60; address++) await begin('ada@example.com', `198.51.100.${address}`)
    assert.deepEqual([delays[0], delays[1], delays[49], delays[59]], [100, 200, 5000, 5000])
    await begin('ada@example.com', '203.0.113.1', 3600)
    assert.equal(delays.length, 60)
  })

  it('refuses an address that fails for a hundred accounts in a minute', async () => {
    const { begin } = open()
    for (let account = 0; account < 100; account++) await begin(`${account}@example.com`, '192.0.2.1')
    await assert.rejects(begin('ada@example.com', '192.0.2.1', 1), refused(59))
    await begin('ada@example.com', '192.0.2.2', 1)
  })

  it('ends a delay when its request ends', async () => {
    const attempts = openSignInAttempts()
    const { signal } = new AbortController()
    for (let address = 0; address < 100; address++)
      await attempts.begin({ email: 'ada@example.com', ip: `192.0.2.${address}`, signal })
    const gone = AbortSignal.abort(new Error('gone'))
    await assert.rejects(
      attempts.begin({ email: 'ada@example.com', ip: '203.0.113.1', signal: gone }),
      /^Error: gone$/,
    )
  })

  it('tells the same time to wait whatever becomes of the clock of the host', async ({ mock }) => {
    const attempts = openSignInAttempts()
    const { signal } = new AbortController()
    const begin = () => attempts.begin({ email: 'ada@example.com', ip: '2001:db8::1', signal })
    for (let time = 0; time < 10; time++) await begin()
    mock.method(Date, 'now', () => 0)
    await assert.rejects(begin(), refused(60))
  })

  it('counts all addresses of an IPv6 network as one', async () => {
    const { begin, fail } = open()
    for (let address = 0; address < 10; address++) await fail(1, 'ada@example.com', `2001:db8::${address}`)
    await assert.rejects(begin('ada@example.com', '2001:db8::abcd'), refused(60))
    await begin('ada@example.com', '2001:db8:0:1::1')
  })
})

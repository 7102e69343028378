import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { bootHost, checkoutPathInHost, poll, startPanel } from './harness/index.ts'
import type { Host } from './harness/index.ts'
import { bootShop, bootVisitor, shopPort, statusesOf } from './story/shops.ts'
import { SignedIn } from './story/signed-in.ts'

const perSecond = 200
/** 100 changes in a minute in the long form (HOSTREEVE_LONG=1). */
const { seconds, changes } = process.env['HOSTREEVE_LONG']
  ? { seconds: 60, changes: 100 }
  : { seconds: 5, changes: 8 }

const address = '192.0.2.10'
const shops = { shop1: '192.0.2.21', shop2: '192.0.2.22' }

interface Load {
  readonly sent: number
  readonly right: number
  readonly askedAgain: number
  readonly failures: readonly string[]
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

describe(`the load balancer under ${perSecond} requests a second`, () => {
  let hosts: Host[] = []
  let admin: SignedIn
  let visitor: Host
  let lb: Host

  before(async () => {
    hosts = await Promise.all([
      bootHost('lb', { image: 'haproxy', addresses: [`${address}/24`] }),
      bootVisitor('192.0.2.99'),
      bootShop('shop1', shops.shop1),
      bootShop('shop2', shops.shop2),
    ])
    ;[lb, visitor] = hosts as [Host, Host]
    await lb.must(['systemctl', 'start', 'haproxy'])
    admin = await SignedIn.as(await startPanel(lb))
    await admin.must('POST', '/api/lbproxy/backends', { name: 'shop' })
    for (const name of ['shop1', 'shop2'] as const)
      await admin.must('POST', '/api/lbproxy/backends/shop/servers', server(name))
    const dead = { name: 'dead', address: shops.shop1, port: 9 }
    await admin.must('POST', '/api/lbproxy/backends/shop/servers', dead)
    await admin.must('PUT', '/api/lbproxy/backends/shop/servers/dead', { ...dead, state: 'maint' })
    await admin.must('POST', '/api/lbproxy/frontends', {
      name: 'web',
      binds: [{ port: 80 }],
      default_backend: 'shop',
    })
  })
  after(async () => {
    for (const host of hosts) await host.remove()
  })

  it(`answers each of them while it is changed ${changes} times in ${seconds} seconds, and asks none of a server that is out of service`, async (t) => {
    const program = `${checkoutPathInHost}/test/hosts/story/load.ts`
    const arguments_ = [address, '80', String(perSecond), String(seconds)]
    const loading = visitor.must([`${checkoutPathInHost}/node_modules/.bin/node`, program, ...arguments_], {
      timeoutMs: (seconds + 30) * 1000,
    })
    const startedAt = performance.now()
    for (let change = 0; change < changes; change++) {
      const due = startedAt + ((change + 0.5) * seconds * 1000) / changes
      if (due > performance.now()) await wait(due - performance.now())
      await makeChange(change)
    }
    const changedForS = (performance.now() - startedAt) / 1000
    const load: Load = JSON.parse((await loading).stdout)
    t.diagnostic(
      JSON.stringify({ ...load, failures: load.failures.length, changedForS: Math.round(changedForS) }),
    )
    assert.deepEqual(load.failures, [])
    assert.equal(load.right, perSecond * seconds)
  })

  it('has kept a server out of service that was taken out before', async () => {
    assert.match((await statusesOf(admin, 'shop'))['dead'] ?? '', /^MAINT/)
  })

  it('has no process left of those that it replaced', async () => {
    const workers = async () => (await lb.must(['pgrep', '-x', 'haproxy'])).stdout.trim().split('\n').length
    await poll('one master and one worker', 20_000, async () => ((await workers()) === 2 ? true : undefined))
    assert.equal((await admin.must('GET', '/api/lbproxy/status')).failed_reloads, 0)
  })

  const server = (name: keyof typeof shops, more: object = {}) => ({
    name,
    address: shops[name],
    port: shopPort,
    ...more,
  })

  /** One of eight changes in rotation, which together restore the initial state. */
  async function makeChange(index: number): Promise<void> {
    const base = '/api/lbproxy'
    const edits = [
      () =>
        admin.must(
          'PUT',
          `${base}/backends/shop/servers/shop1`,
          server('shop1', { weight: 50 + (index % 50) }),
        ),
      () => admin.must('POST', `${base}/backends`, { name: 'spare' }),
      () => admin.must('POST', `${base}/backends/shop/servers`, { ...server('shop1'), name: 'shop3' }),
      () =>
        admin.must('PUT', `${base}/frontends/web`, {
          maxconn: 1000 + index,
          timeouts: [{ name: 'client', value: '30s' }],
        }),
      () =>
        admin.must('POST', `${base}/frontends`, {
          name: 'other',
          binds: [{ port: 81 }],
          default_backend: 'spare',
        }),
      () => admin.must('DELETE', `${base}/backends/shop/servers/shop3`),
      () => admin.must('DELETE', `${base}/frontends/other`),
      () => admin.must('DELETE', `${base}/backends/spare`),
    ]
    await edits[index % edits.length]!()
  }
})

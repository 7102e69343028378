import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { bootShop, bootVisitor, tally } from './story/shops.ts'

const address = '192.0.2.10'

describe('the commands of the guide to the load balancer', () => {
  let hosts: Host[] = []
  let panel: Panel
  before(async () => {
    hosts = await Promise.all([
      bootHost('lb', { image: 'haproxy', addresses: [`${address}/24`], without: ['haproxy'] }),
      bootVisitor('192.0.2.99'),
      bootShop('shop1', '192.0.2.21'),
      bootShop('shop2', '192.0.2.22'),
    ])
    panel = await startPanel(hosts[0]!)
  })
  after(async () => {
    for (const host of hosts) await host.remove()
  })

  it('balance two servers behind TLS, one after another as they stand there', async () => {
    const output = await runAll(
      hosts[0]!,
      panel,
      shellBlocks(await readFile(join(checkout, 'docs/guides/lbproxy.md'), 'utf8')),
    )
    assert.match(output, /"state":"succeeded"/)
    assert.match(output, /"installed":true,"running":true/)
    assert.match(output, /"name":"shop2".*?"status":"DRAIN/)
    const visitor = hosts[1]!
    const { status, headers } = await visitor.request({ address, headers: { Host: 'www.example.com' } })
    assert.deepEqual([status, headers.location], [301, 'https://www.example.com/'])
    assert.deepEqual(
      Object.keys(await tally(visitor, { address, tls: { servername: 'www.example.com' } })).sort(),
      ['shop1', 'shop2'],
    )
  })
})

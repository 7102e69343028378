import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

describe('network tools', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('nettools')
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(() => host?.remove())

  it('do what their guide says', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/network-tools.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /"protocol":"ICMP"/)
  })

  it('refuse filters that would be options, with the message of tcpdump', async () => {
    for (const filter of ['-w /tmp/x', '; id', 'tcp port', '$(id)']) {
      const body = { interface: 'lo', filter }
      const { status } = await admin.ask('POST', '/api/nettools/capture/start', body)
      assert.equal(status, 400, filter)
    }
    assert.equal((await host.exec(['test', '-e', '/tmp/x'])).code, 1)
  })

  it('capture as nobody, with one capability, until they are stopped', async () => {
    const { session_id: id } = await admin.must('POST', '/api/nettools/capture/start', {
      interface: 'lo',
      filter: 'port 9',
    })
    const status = await poll('tcpdump runs', 60_000, async () => {
      const { stdout } = await host.exec(['sh', '-c', 'cat /proc/$(pgrep -x tcpdump)/status'])
      return /CapEff/.test(stdout) ? stdout : undefined
    })
    assert.match(status, /Uid:\s+65534\s+65534/)
    assert.match(status, /CapEff:\s+0000000000002000/)
    await admin.must('POST', `/api/nettools/capture/${id}/stop`)
    const { status: state } = await admin.must('GET', `/api/nettools/capture/${id}/status`)
    assert.equal(state, 'done')
    assert.equal((await host.exec(['pgrep', '-x', 'tcpdump'])).code, 1)
  })

  it('ping over HTTP', async () => {
    const { port } = { port: panel.environment['HOSTREEVE_PORT'] }
    const { stats, lines } = await admin.must('POST', '/api/nettools/httping', {
      host: `http://127.0.0.1:${port}/`,
      count: 2,
    })
    assert.equal(stats.loss_pct, '0', lines.join('\n'))
  })
})

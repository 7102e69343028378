import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { eventsOf, SignedIn } from './story/signed-in.ts'

const address = '10.77.0.71'
const senderAddress = '10.77.0.72'

describe('network tools', () => {
  let host: Host
  let sender: Host
  let orphan: string
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('nettools', { addresses: [`${address}/24`] })
    sender = await bootHost('netsender', { addresses: [`${senderAddress}/24`] })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(async () => {
    await host?.remove()
    await sender?.remove()
  })

  it('capture until the panel is killed', async () => {
    await admin.must('POST', '/api/nettools/capture/start', { interface: 'lo', filter: 'udp port 7' })
    orphan = await poll('tcpdump runs', 60_000, async () => {
      const { stdout } = await host.exec(['pgrep', '-x', 'tcpdump'])
      return stdout.trim() || undefined
    })
    await panel.kill9()
    await panel.start()
  })

  it('capture what another host sends', async () => {
    const interfaces: string[] = await admin.must('GET', '/api/nettools/interfaces')
    const name = interfaces.find((each) => each !== 'lo')
    const { session_id: id } = await admin.must('POST', '/api/nettools/capture/start', {
      interface: name,
      filter: 'udp port 9',
      count: 3,
    })
    const state = async () => (await admin.must('GET', `/api/nettools/capture/${id}/status`)).status
    await poll('three packets', 120_000, async () => {
      await sender.must(['bash', '-c', `echo heron >/dev/udp/${address}/9`]) // tcpdump may not listen yet
      return (await state()) === 'done' || undefined
    })
    const packets = await admin.must('GET', `/api/nettools/capture/${id}/packets`)
    assert.deepEqual(
      packets.map((each: any) => [each.src_ip, each.dst_ip, each.dst_port, each.protocol]),
      Array.from({ length: 3 }, () => [senderAddress, address, '9', 'UDP']),
    )
    const { bytes } = await admin.ask('GET', `/api/nettools/capture/${id}/pcap`)
    assert.equal(bytes.readUInt32LE(0), 0xa1_b2_c3_d4, 'it begins as a file of pcap does')
    assert.equal(bytes.toString('latin1').match(/heron/g)?.length, 3)
  })

  it('tell the lines of ping while it runs, and end it with their reader', async () => {
    const { HOSTREEVE_HOST: listens, HOSTREEVE_PORT: port } = panel.environment
    const stream = await host.open({
      method: 'POST',
      path: '/api/nettools/ping/stream',
      address: listens,
      port: Number(port),
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ host: '127.0.0.1', count: 50, interval: 2 }),
      timeoutMs: 180_000,
    })
    const events = eventsOf(stream)
    const lines = [(await events.next()).value, (await events.next()).value]
    assert.match(lines[1].message, /^\d+ bytes from 127\.0\.0\.1/)
    assert.equal((await host.exec(['pgrep', '-x', 'ping'])).code, 0)
    stream.destroy()
    await poll('ping to end', 120_000, async () =>
      (await host.exec(['pgrep', '-x', 'ping'])).code === 0 ? undefined : true,
    )
  })

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
      const { stdout } = await host.exec(['sh', '-c', 'cat /proc/$(pgrep -n -x tcpdump)/status'])
      const isOrphan = new RegExp(`^Pid:\\s+${orphan}$`, 'm').test(stdout)
      return /CapEff/.test(stdout) && !isOrphan ? stdout : undefined
    })
    assert.match(status, /Uid:\s+65534\s+65534/)
    assert.match(status, /CapEff:\s+0000000000002000/)
    await admin.must('POST', `/api/nettools/capture/${id}/stop`)
    const { status: state } = await admin.must('GET', `/api/nettools/capture/${id}/status`)
    assert.equal(state, 'done')
    assert.equal((await host.exec(['pgrep', '-f', '--', '-- port 9$'])).code, 1)
  })

  it('ping over HTTP', async () => {
    const { port } = { port: panel.environment['HOSTREEVE_PORT'] }
    const { stats, lines } = await admin.must('POST', '/api/nettools/httping', {
      host: `http://127.0.0.1:${port}/`,
      count: 2,
    })
    assert.equal(stats.loss_pct, '0', lines.join('\n'))
  })

  it('have ended the capture of the panel that was killed', async () => {
    await poll('tcpdump to end', 240_000, async () =>
      (await host.exec(['kill', '-0', orphan])).code === 0 ? undefined : true,
    )
  })
})

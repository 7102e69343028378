import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

describe('uptime monitors', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('uptime', { image: 'powerdns' })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(() => host?.remove())

  it('do what their guide says', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/uptime.md'), 'utf8')
    assert.match(await runAll(host, panel, shellBlocks(guide)), /"message":"Monitor deleted"/)
  })

  const draft = { name: 'nginx', type: 'tcp', target: '127.0.0.1:80', check_interval: 3600 }
  const read = async (wanted: number) =>
    (await admin.must('GET', '/api/uptime/monitors')).monitors.find(
      (each: { id: number }) => each.id === wanted,
    )
  const checked = async (wanted: number, times: number) =>
    poll(`check ${times} of monitor ${wanted}`, 120_000, async () => {
      const monitor = await read(wanted)
      return monitor.total_checks >= times ? monitor : undefined
    })

  it('see a service that stops and starts again', async () => {
    await admin.installNginx()
    const { id } = await admin.must('POST', '/api/uptime/monitors', draft)
    const ping = { ...draft, name: 'loopback', type: 'ping', target: '127.0.0.1' }
    const { id: pinged } = await admin.must('POST', '/api/uptime/monitors', ping)
    assert.equal((await checked(id, 1)).last_error, '')
    assert.equal((await checked(pinged, 1)).last_error, '')
    await host.must(['systemctl', 'stop', 'nginx'])
    for (const times of [2, 3]) {
      await admin.must('POST', `/api/uptime/monitors/${id}/check`)
      await checked(id, times)
    }
    assert.equal((await read(id)).is_down, true)
    await host.must(['systemctl', 'start', 'nginx'])
    await admin.must('POST', `/api/uptime/monitors/${id}/check`)
    assert.equal((await checked(id, 4)).is_down, false)
  })

  it('keep their schedule when the panel is killed and started again', async () => {
    const { id: rare } = await admin.must('POST', '/api/uptime/monitors', { ...draft, name: 'rare' })
    const often = { ...draft, name: 'often', check_interval: 10 }
    const { id } = await admin.must('POST', '/api/uptime/monitors', often)
    await checked(rare, 1)
    const { total_checks: before } = await checked(id, 2)
    await panel.kill9()
    await panel.start()
    await checked(id, before + 2)
    assert.equal((await read(rare)).total_checks, 1)
  })

  it('switch a DNS record with the second failed check, and back with the first success', async () => {
    await host.must(['systemctl', 'start', 'mariadb'])
    await admin.must('POST', '/api/authdns/install')
    const records = ['192.0.2.10', '192.0.2.99'].map((content) => ({ content }))
    await admin.must('POST', '/api/authdns/zones', {
      name: 'example.com',
      rrsets: [{ name: 'www', type: 'A', ttl: 5, records }],
    })
    const dig = async () => {
      const { stdout } = await host.exec(['dig', '+short', '+tries=2', '@127.0.0.1', 'www.example.com', 'A'])
      return stdout.trim().split('\n').toSorted().join(' ')
    }
    const becomes = (wanted: string) =>
      poll(`www to be ${wanted}`, 120_000, async () => ((await dig()) === wanted ? true : undefined))
    const failover = { dns_failover: true, dns_record_name: 'www', dns_up_ip: '192.0.2.10' }
    const given = { ...draft, check_interval: 10, ...failover, dns_down_ip: '192.0.2.20' }
    const wrong = await admin.ask('POST', '/api/uptime/monitors', { ...given, dns_zone: 'example.org' })
    assert.deepEqual([wrong.status, wrong.message], [400, 'dns_zone: PowerDNS has no zone example.org'])
    const { id } = await admin.must('POST', '/api/uptime/monitors', { ...given, dns_zone: 'example.com' })
    await checked(id, 1)
    assert.equal(await dig(), '192.0.2.10 192.0.2.99')
    await host.must(['systemctl', 'stop', 'nginx'])
    await becomes('192.0.2.20 192.0.2.99')
    const events = async () =>
      (await admin.must('GET', `/api/uptime/monitors/${id}/history`)).history.map(
        (each: { event_type: string }) => each.event_type,
      )
    await poll(
      'the switch in the history',
      60_000,
      async () => (await events())[0] === 'failover' || undefined,
    )
    assert.deepEqual(await events(), ['failover', 'down', 'warning', 'up']) // two failed checks: two intervals
    assert.equal((await read(id)).dns_switched, true)
    await host.must(['systemctl', 'start', 'nginx'])
    await becomes('192.0.2.10 192.0.2.99')
    await poll('the switch in the history', 60_000, async () => (await events()).length === 6 || undefined)
    assert.deepEqual((await events()).slice(0, 2), ['failover', 'up'])
    await admin.must('DELETE', `/api/uptime/monitors/${id}`)
  })

  it('switch every address of a name that they share, though they fail at once, however it is spelled', async () => {
    const numbers = [1, 2, 3, 4]
    const records = numbers.map((each) => ({ content: `2001:db8::${each}` }))
    await admin.must('POST', '/api/authdns/zones', {
      name: 'example.net',
      rrsets: [{ name: 'pool', type: 'AAAA', ttl: 5, records }],
    })
    const dig = async () => {
      const { stdout } = await host.exec([
        'dig',
        '+short',
        '+tries=2',
        '@127.0.0.1',
        'pool.example.net',
        'AAAA',
      ])
      return stdout.trim().split('\n').toSorted().join(' ')
    }
    const listOf = (prefix: string) => numbers.map((each) => `${prefix}${each}`).join(' ')
    const becomes = (wanted: string) =>
      poll(`pool to be ${wanted}`, 120_000, async () => ((await dig()) === wanted ? true : undefined))
    const ids: number[] = []
    for (const number of numbers) {
      const failover = { dns_failover: true, dns_zone: 'example.net', dns_record_name: 'pool' }
      const addresses = { dns_up_ip: `2001:DB8:0::${number}`, dns_down_ip: `2001:DB8:0::f${number}` }
      const pool = { ...draft, ...failover, ...addresses, name: `pool ${number}`, dns_record_type: 'AAAA' }
      ids.push((await admin.must('POST', '/api/uptime/monitors', pool)).id)
    }
    const checkAll = async (times: number) => {
      await Promise.all(ids.map((id) => admin.must('POST', `/api/uptime/monitors/${id}/check`)))
      await Promise.all(ids.map((id) => checked(id, times)))
    }
    await Promise.all(ids.map((id) => checked(id, 1)))
    await host.must(['systemctl', 'stop', 'nginx'])
    await checkAll(2)
    await checkAll(3)
    await becomes(listOf('2001:db8::f'))
    await host.must(['systemctl', 'start', 'nginx'])
    await checkAll(4)
    await becomes(listOf('2001:db8::'))
  })
})

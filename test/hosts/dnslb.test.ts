import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

const balancer = '10.77.0.11'
const [first, second] = ['10.77.0.21', '10.77.0.22']
const [office, guest, other] = ['10.77.0.31', '10.77.0.32', '10.77.0.33']

/** A name server that answers every query with its own address. */
const nameServer = `
const socket = require('dgram').createSocket('udp4')
const [,, address] = process.argv
socket.on('message', (query, { port, address: client }) => {
  let end = 12
  while (query[end] !== 0) end += query[end] + 1
  const head = Buffer.from(query.subarray(0, end + 5))
  head.writeUInt16BE(0x8580, 2)
  head.writeUInt16BE(1, 6)
  head.writeUInt32BE(0, 8)
  const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])
  socket.send(Buffer.concat([head, answer]), port, client)
})
socket.bind(53, address)
`

/** Queries per second while the balancer changes, and the changes; 5,000 and 202 in the long form (HOSTREEVE_LONG=1). */
const { perSecond, rounds } = process.env['HOSTREEVE_LONG']
  ? { perSecond: 5000, rounds: 100 }
  : { perSecond: 500, rounds: 5 }

/**
 * Asks a server at a rate until the file /root/stop is there, and prints how many answers came. At most 100 queries are open
 * at a time: on a busy machine more would overflow the buffer of a socket, which no server is to blame for.
 */
const load = `
const { existsSync } = require('fs')
const socket = require('dgram').createSocket('udp4')
const [,, server, source, perSecond] = process.argv
const [open, counts, hangMs] = [new Set(), { sent: 0, right: 0, wrong: 0 }, 30000]
socket.on('message', (answer) => {
  if (!open.delete(answer.readUInt16BE(0))) return
  const isRight = (answer[3] & 15) === 0 && answer.readUInt16BE(6) === 1
  counts[isRight ? 'right' : 'wrong'] += 1
})
const ask = () => {
  const id = counts.sent % 65536
  const query = Buffer.from('00000100000100000000000006737465616479076578616d706c650000010001', 'hex')
  query.writeUInt16BE(id, 0)
  open.add(id)
  counts.sent += 1
  socket.send(query, 53, server)
}
socket.bind(0, source, () => {
  const start = Date.now()
  let stoppedAt
  const timer = setInterval(() => {
    if (existsSync('/root/stop')) stoppedAt ??= Date.now()
    const due = ((Date.now() - start) / 1000) * Number(perSecond)
    while (stoppedAt === undefined && counts.sent < due && open.size < 100) ask()
    if (stoppedAt === undefined || (open.size > 0 && Date.now() - stoppedAt < hangMs)) return
    clearInterval(timer)
    socket.close()
    console.log(JSON.stringify(counts))
  }, 2)
})
`

describe('the DNS balancer', () => {
  let host: Host
  /** The name servers, and the clients by their source addresses. */
  let others: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('dnslb', {
      image: 'dnsdist',
      addresses: [`${balancer}/24`],
      without: ['dnsdist'],
    })
    others = await bootHost('names', {
      addresses: [first, second, office, guest, other].map((address) => `${address}/24`),
    })
    await writeFile(join(others.rootPath, 'root/name-server.cjs'), nameServer)
    await writeFile(join(others.rootPath, 'root/load.cjs'), load)
    for (const address of [first, second]) await startNameServer(address)
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(async () => {
    await others?.remove()
    await host?.remove()
  })

  const startNameServer = (address: string) =>
    others.must([
      ...(['systemd-run', '--quiet', `--unit=ns-${address}`] as const),
      ...['/opt/hostreeve/node_modules/.bin/node', '/root/name-server.cjs', address],
    ])
  const must = (method: string, path: string, body?: unknown) => admin.must(method, `/api/dnslb${path}`, body)
  /** The status and the address that a client with this source address is answered; a silence has none. */
  const dig = async (name: string, { from = other, type = 'A' } = {}) => {
    const argv = ['dig', '+time=3', '+tries=1', '-b', from, `@${balancer}`, name, type] as const
    const { stdout } = await others.exec(argv)
    const status = /status: ([A-Z]+)/.exec(stdout)?.[1] ?? 'SILENCE'
    const address = /\sIN\s+A\s+(10[\d.]+)$/m.exec(stdout)?.[1]
    return address === undefined ? status : `${status} ${address}`
  }
  const mainPid = async () => (await host.must(['systemctl', 'show', '-pMainPID', 'dnsdist'])).stdout

  it('follows the guide, as it stands there', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/dns-balancer.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /"state":"succeeded"/)
    assert.match(output, /"installed":true,"running":true/)
    assert.match(output, /^10\.77\.0\.21$/m)
    assert.match(output, /^10\.77\.0\.22$/m)
    assert.match(output, /^status: NXDOMAIN$/m)
  })

  it('blocks names of domain lists and everything below them, but for those that an earlier list exempts', async () => {
    assert.equal(await dig('ads.example'), 'NXDOMAIN')
    assert.equal(await dig('WWW.Ads.Example'), 'NXDOMAIN')
    assert.equal(await dig('good.ads.example'), `NOERROR ${first}`)
    assert.equal(await dig('noads.example'), `NOERROR ${first}`)
  })

  it('tells clients apart by their source addresses: exempt, limited, blocked', async () => {
    assert.equal(await dig('ads.example', { from: office }), `NOERROR ${first}`)
    const burst = (from: string) =>
      Promise.all(Array.from({ length: 30 }, () => dig('www.example', { from })))
    assert.ok((await burst(guest)).includes('SILENCE'), 'the limit drops nothing')
    assert.deepEqual(
      (await burst(other)).filter((answer) => answer !== `NOERROR ${first}`),
      [],
      'a limit of another address drops queries',
    )
    await must('POST', '/address-lists', { name: 'foes', action: 'block', addresses: ['10.77.0.0/24'] })
    assert.equal(await dig('www.example'), 'REFUSED')
    assert.equal(await dig('www.example', { from: office }), `NOERROR ${first}`)
    await must('DELETE', '/address-lists/foes')
    assert.equal(await dig('www.example'), `NOERROR ${first}`)
  })

  it('sends a pool its queries, and refuses a record type by a rule', async () => {
    assert.equal(await dig('www.inner.example'), `NOERROR ${second}`)
    assert.equal(await dig('www.example', { type: 'ANY' }), 'REFUSED')
  })

  it('fails over to the next server, and back', async () => {
    const stateOf = async (name: string) =>
      (await must('GET', '/servers')).servers.find((server: { name: string }) => server.name === name).state
    await others.must(['systemctl', 'stop', `ns-${first}`])
    await poll('ns1 to be down', 30_000, async () => (await stateOf('ns1')) === 'down' || undefined)
    assert.equal(await dig('www.example'), `NOERROR ${second}`)
    await startNameServer(first)
    await poll('ns1 to be up', 30_000, async () => (await stateOf('ns1')) === 'up' || undefined)
    assert.equal(await dig('www.example'), `NOERROR ${first}`)
  })

  it('loses no query through changes that the running dnsdist takes', async () => {
    const before = await mainPid()
    const node = '/opt/hostreeve/node_modules/.bin/node'
    const asking = others.must([node, '/root/load.cjs', balancer, other, String(perSecond)], {
      timeoutMs: 900_000,
    })
    const changing = async () => {
      for (let at = 1; at <= rounds; at += 1) {
        await must('POST', '/domain-lists', { name: 'live', action: 'block', domains: `n${at}.example` })
        await must('POST', '/servers', { name: 'spare', address: second, order: 10 + at })
        assert.equal(await dig(`n${at}.example`), 'NXDOMAIN')
      }
      await must('DELETE', '/servers/spare')
      await must('DELETE', '/domain-lists/live')
    }
    const stop = () => writeFile(join(others.rootPath, 'root/stop'), '')
    const [{ stdout }] = await Promise.all([asking, changing().finally(stop)])
    const { sent, right } = JSON.parse(stdout)
    assert.ok(sent > 0)
    assert.equal(right, sent, stdout)
    assert.equal(await mainPid(), before)
  })

  it('serves the same after it was killed, and starts with the host', async () => {
    await host.must(['systemctl', 'kill', '--signal=KILL', 'dnsdist'])
    await poll(
      'dnsdist to answer',
      60_000,
      async () => (await dig('ads.example')) === 'NXDOMAIN' || undefined,
    )
    assert.equal(await dig('www.inner.example'), `NOERROR ${second}`)
    const { stdout } = await host.exec(['systemctl', 'is-enabled', 'dnsdist'])
    assert.equal(stdout.trim(), 'enabled')
  })

  it('undoes a change by its entry, as dig sees', async () => {
    await must('POST', '/domain-lists', { name: 'undone', action: 'block', domains: 'undone.example' })
    assert.equal(await dig('undone.example'), 'NXDOMAIN')
    const { items } = await admin.must('GET', '/api/activity?per_page=1')
    await admin.must('POST', `/api/activity/${items[0].id}/undo`)
    assert.equal(await dig('undone.example'), `NOERROR ${first}`)
  })

  it('keeps a configuration that was edited by hand, and restarts where its rules come after those of the panel', async () => {
    const path = join(host.rootPath, 'etc/dnsdist/dnsdist.conf')
    const text = await readFile(path, 'utf8')
    const config = `${text}addAction("by-hand.example", RCodeAction(DNSRCode.REFUSED))\n`
    await must('POST', '/config', { config })
    assert.equal(await dig('by-hand.example'), 'REFUSED')
    const before = await mainPid()
    await must('POST', '/rules', {
      name: 'one',
      match: 'domain',
      value: 'ok.by-hand.example',
      action: 'allow',
    })
    assert.notEqual(await mainPid(), before)
    assert.equal(await dig('ok.by-hand.example'), `NOERROR ${first}`)
    assert.equal(await readFile(path, 'utf8'), config)
    const refused = await admin.ask('POST', '/api/dnslb/config', { config: `${config}nonsense(` })
    assert.deepEqual([refused.status, refused.code], [400, 'invalid_config'], refused.message)
    assert.equal(await dig('by-hand.example'), 'REFUSED')
  })
})

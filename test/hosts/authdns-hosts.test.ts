import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createSelfSigned } from '../../src/host/self-signed.ts'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host } from './harness/index.ts'
import { pebbleEnvironment, startPebble } from './story/pebble.ts'
import { SignedIn } from './story/signed-in.ts'

const limitMs = 150_000
const [primaryAddress, secondaryAddress] = ['10.80.0.11', '10.80.0.12']
const authorities = '/root/authorities.crt'

/** The panel of a host behind TLS, as other hosts reach it; returns the certificate. */
async function serveByTls(host: Host): Promise<string> {
  const { cert, key } = await createSelfSigned('panel', [{ type: 'ip', value: secondaryAddress }], new Date())
  await writeFile(join(host.rootPath, '/etc/nginx/panel.crt'), cert)
  await writeFile(join(host.rootPath, '/etc/nginx/panel.key'), key, { mode: 0o600 })
  const server = `server { listen ${secondaryAddress}:2087 ssl;
    ssl_certificate /etc/nginx/panel.crt; ssl_certificate_key /etc/nginx/panel.key;
    location / { proxy_pass http://127.0.0.1:7070; proxy_set_header Host $http_host; } }\n`
  await writeFile(join(host.rootPath, '/etc/nginx/conf.d/panel.conf'), server)
  await host.must(['systemctl', 'restart', 'nginx'])
  return cert
}

describe('DNS on two hosts', () => {
  let [first, second]: Host[] = []
  let [primary, secondary]: SignedIn[] = []
  before(async () => {
    first = await bootHost('dnsfirst', { image: 'powerdns', addresses: [`${primaryAddress}/24`] })
    second = await bootHost('dnssecond', { image: 'powerdns', addresses: [`${secondaryAddress}/24`] })
    const certificate = await serveByTls(second)
    await startPebble(first, { nameServer: 'its own' })
    const pebble = await readFile(join(first.rootPath, pebbleEnvironment.NODE_EXTRA_CA_CERTS), 'utf8')
    await writeFile(join(first.rootPath, authorities), certificate + pebble)
    const env = { ...pebbleEnvironment, NODE_EXTRA_CA_CERTS: authorities }
    primary = await SignedIn.as(await startPanel(first, { env }))
    secondary = await SignedIn.as(await startPanel(second))
    for (const [host, panel] of [
      [first, primary],
      [second, secondary],
    ] as const) {
      await host.must(['systemctl', 'start', 'mariadb'])
      await must(panel, 'POST', '/install')
    }
  })
  after(async () => {
    await second?.remove()
    await first?.remove()
  })

  const must = (on: SignedIn | undefined, method: string, path: string, body?: unknown) =>
    on!.must(method, `/api/authdns${path}`, body)
  const dig = async (address: string, ...question: readonly string[]) => {
    const argv = ['dig', '+short', '+tries=2', `@${address}`, ...question] as const
    const { stdout } = await first!.exec(argv)
    return stdout.trim().split('\n').toSorted().join('\n')
  }
  /** Waits until both servers give an answer. */
  async function bothAnswer(question: readonly [string, string], wanted: string | RegExp): Promise<void> {
    for (const address of [primaryAddress, secondaryAddress]) {
      let answer = ''
      await poll(`${address} to answer ${question.join(' ')} with ${wanted}`, limitMs, async () => {
        answer = await dig(address, ...question)
        return (typeof wanted === 'string' ? answer === wanted : wanted.test(answer)) || undefined
      }).catch((error: unknown) => assert.fail(`${String(error)}: the last answer was "${answer}"`))
    }
  }
  const change = (...rrsets: readonly object[]) =>
    must(primary, 'PATCH', '/zones/example.com/records', { rrsets })
  const set = (name: string, type: string, ...contents: readonly string[]) => ({
    ...{ name, type, ttl: 60, records: contents.map((content) => ({ content })) },
  })

  it('gives a secondary each zone and every kind of change, as dig sees on both', async () => {
    await must(primary, 'POST', '/replication', {
      ...{ role: 'master', allow_axfr_ips: [secondaryAddress], also_notify: [secondaryAddress] },
    })
    await must(secondary, 'POST', '/replication', {
      ...{ role: 'slave', master_ip: primaryAddress, autosecondary: true, nameserver: 'ns2.example.com' },
    })
    await must(primary, 'POST', '/zones', {
      name: 'example.com',
      rrsets: [
        set('@', 'NS', 'ns1.example.com.', 'ns2.example.com.'),
        set('ns1', 'A', primaryAddress),
        set('ns2', 'A', secondaryAddress),
        set('www', 'A', '192.0.2.10'),
      ],
    })
    await bothAnswer(['www.example.com', 'A'], '192.0.2.10')
    await change(set('www', 'A', '192.0.2.20', '192.0.2.21'), set('@', 'MX', '10 mail.example.net.'))
    await bothAnswer(['www.example.com', 'A'], '192.0.2.20\n192.0.2.21')
    await bothAnswer(['example.com', 'MX'], '10 mail.example.net.')
    await change({ name: 'www', type: 'A', changetype: 'DELETE' }, set('new', 'TXT', '"a text"'))
    await bothAnswer(['www.example.com', 'A'], '')
    await bothAnswer(['new.example.com', 'TXT'], '"a text"')
    const { data } = await primary!.ask('GET', '/api/activity?sort=-id&per_page=1')
    await primary!.must('POST', `/api/activity/${data.items[0].id}/undo`)
    await bothAnswer(['www.example.com', 'A'], '192.0.2.20\n192.0.2.21')
    await must(primary, 'POST', '/zones/example.com/import', {
      bind_data: `$TTL 60\nimported 60 IN AAAA 2001:db8::1\n`,
    })
    await bothAnswer(['imported.example.com', 'AAAA'], '2001:db8::1')
    const { zones } = await must(secondary, 'GET', '/replication')
    assert.deepEqual(
      zones.map((zone: any) => [zone.name, zone.status]),
      [['example.com', 'synced']],
    )
  })

  it('gives a secondary what was changed while its cable was cut', async () => {
    await second!.cutNetwork()
    await change(set('late', 'A', '192.0.2.30'))
    assert.equal(await dig(primaryAddress, 'late.example.com', 'A'), '192.0.2.30')
    await second!.restoreNetwork()
    await change(set('later', 'A', '192.0.2.31'))
    await bothAnswer(['later.example.com', 'A'], '192.0.2.31')
    await bothAnswer(['late.example.com', 'A'], '192.0.2.30')
  })

  it('gives a secondary the signatures of a zone', async () => {
    await must(primary, 'POST', '/zones/example.com/dnssec')
    await change(set('signed', 'A', '192.0.2.40'))
    for (const address of [primaryAddress, secondaryAddress])
      await poll(`${address} to sign`, limitMs, async () => {
        const answer = await dig(address, '+dnssec', 'signed.example.com', 'A')
        return /^192\.0\.2\.40$/m.test(answer) && /^A 13 3 /m.test(answer) ? true : undefined
      })
  })

  it('gives a secondary both keys of a roll-over', async () => {
    await must(primary, 'POST', '/zones/example.com/dnssec/rollover', { step: 'start' })
    for (const address of [primaryAddress, secondaryAddress])
      await poll(`${address} to have both keys`, limitMs, async () => {
        const keys = await dig(address, 'example.com', 'DNSKEY')
        return keys.split('\n').filter((line) => line.startsWith('257 3 13 ')).length === 2 || undefined
      })
    const { rollover } = await must(primary, 'GET', '/zones/example.com/dnssec')
    assert.equal(rollover.state, 'waiting_for_caches')
  })

  it('pushes zones to another panel, which applies each change once', async () => {
    for (const panel of [primary, secondary]) await must(panel, 'POST', '/replication', { role: 'native' })
    const { api_key } = await must(secondary, 'POST', '/sync-api-key')
    const url = `https://${secondaryAddress}:2087`
    await must(primary, 'POST', '/sync-servers', { name: 'second', url, api_key })
    const zone = 'pushed.example'
    await must(primary, 'POST', '/zones', { name: zone, rrsets: [set('www', 'A', '192.0.2.50')] })
    const push = async () => (await must(primary, 'POST', '/sync-push', { zones: [zone] })).results[0]
    let former = ''
    for (const [at, content] of ['192.0.2.50', '192.0.2.51', '192.0.2.52'].entries()) {
      if (at > 0)
        await must(primary, 'PATCH', `/zones/${zone}/records`, { rrsets: [set('www', 'A', content)] })
      const { success, message } = await push()
      assert.equal(success, true, message)
      assert.equal(await dig(secondaryAddress, `www.${zone}`, 'A'), content)
      const start = await dig(secondaryAddress, zone, 'SOA')
      assert.notEqual(start, former)
      former = start
      assert.equal((await push()).success, true)
      assert.equal(await dig(secondaryAddress, zone, 'SOA'), start)
    }
  })

  it('proves a wildcard to a certificate authority through its zone', async () => {
    await must(primary, 'POST', '/zones', {
      name: 'wild.example',
      rrsets: [set('@', 'A', primaryAddress), set('*', 'A', primaryAddress)],
    })
    await primary!.installNginx()
    const draft = { domain: 'wild.example', type: 'static', aliases: ['*.wild.example'] }
    const ada = await primary!.makeOwner('ada')
    const { id } = await ada.signedIn.must('POST', '/api/websites', draft)
    const { job_id } = await ada.signedIn.must('POST', `/api/websites/${id}/ssl`, {})
    const end = (await ada.signedIn.followJob(job_id)).at(-1)
    assert.equal(end?.['state'], 'succeeded', JSON.stringify(end))
    const served = `openssl s_client -connect 127.0.0.1:443 -servername any.wild.example </dev/null 2>/dev/null | openssl x509 -noout -ext subjectAltName`
    const { stdout } = await first!.must(['bash', '-c', served])
    assert.match(stdout, /DNS:\*\.wild\.example/)
    assert.equal(await dig(primaryAddress, '_acme-challenge.wild.example', 'TXT'), '')
  })

  it('creates the zone of a new website with it, and undoes both', async () => {
    const { templates } = await primary!.must('GET', '/api/websites/dns-templates')
    assert.deepEqual(templates, ['Website with mail'])
    const draft = { domain: 'www.zoned.example', type: 'static', username: 'ada' }
    const create = { ...draft, dns_template: 'Website with mail' }
    const { id } = await primary!.must('POST', '/api/websites', create)
    const { ipv4 } = await primary!.must('GET', `/api/websites/${id}/dns`)
    assert.equal(await dig(primaryAddress, 'zoned.example', 'A'), ipv4[0])
    assert.match(await dig(primaryAddress, 'www.zoned.example', 'A'), /^zoned\.example\.$/m)
    assert.equal(await dig(primaryAddress, 'zoned.example', 'MX'), '10 mail.zoned.example.')
    assert.equal(await dig(primaryAddress, 'zoned.example', 'TXT'), '"v=spf1 mx -all"')
    assert.equal(await dig(primaryAddress, '_dmarc.zoned.example', 'TXT'), '"v=DMARC1; p=reject"')
    // pebble issues the certificates of this host, and no record may forbid it
    assert.equal(await dig(primaryAddress, 'zoned.example', 'CAA'), '')
    const { data } = await primary!.ask('GET', '/api/activity?sort=-id&per_page=1')
    await primary!.must('POST', `/api/activity/${data.items[0].id}/undo`)
    assert.equal(await dig(primaryAddress, 'zoned.example', 'A'), '')
    assert.equal((await primary!.ask('GET', `/api/websites/${id}`)).status, 404)
  })

  it('creates no website if PowerDNS refuses its zone', async () => {
    const records = [{ name: '@', type: 'LOC', content: 'nowhere' }]
    await must(primary, 'POST', '/templates', { name: 'Refused', records })
    const draft = { domain: 'refused.example', type: 'static', username: 'ada', dns_template: 'Refused' }
    const { status, code } = await primary!.ask('POST', '/api/websites', draft)
    assert.deepEqual([status, code], [400, 'bad_request'])
    const sites = await primary!.must('GET', '/api/websites?search=refused.example')
    assert.deepEqual(sites.items, [])
    const { stdout } = await first!.exec(['sh', '-c', 'grep -rl refused.example /etc/nginx || true'])
    assert.equal(stdout, '')
    assert.equal(await dig(primaryAddress, 'refused.example', 'SOA'), '')
  })
})

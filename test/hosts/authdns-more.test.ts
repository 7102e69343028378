import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

/** A roll-over with a delv that asks all the time is in the long form alone (HOSTREEVE_LONG=1). */
const isLong = Boolean(process.env['HOSTREEVE_LONG'])
const settingsPath = '/etc/powerdns/pdns.d/hostreeve.replication.conf'

describe('DNSSEC, smart rules and replication', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('dnsmore', { image: 'powerdns' })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await host.must(['systemctl', 'start', 'mariadb'])
    await must('POST', '/install')
  })
  after(() => host?.remove())

  const must = async (method: string, path: string, body?: unknown) => {
    const { status, data, message } = await admin.ask(method, `/api/authdns${path}`, body)
    assert.ok(status < 300, `${method} ${path}: ${status} ${message}`)
    return data
  }
  const dig = async (...question: string[]) => {
    const { stdout } = await host.exec(['dig', '+short', '+tries=2', '@127.0.0.1', ...question])
    return stdout.trim()
  }
  const mainPid = async () => (await host.must(['systemctl', 'show', '-pMainPID', 'pdns'])).stdout

  it('follows the guide, as it stands there', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/dns-replication.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /^257 3 13 /m)
    assert.match(output, /^192\.0\.2\.60$/m)
    assert.match(output, /www\.example\.net\.\s+\d+\s+IN\s+A\s+192\.0\.2\.50/)
  })

  it('signs a zone so that delv validates it with the DS', async () => {
    const { ds } = await must('GET', '/zones/example.net/dnssec')
    const [tag, algorithm, type, digest] = ds[0].split(' ')
    const anchor = `example.net. static-ds ${tag} ${algorithm} ${type} "${digest}";`
    await writeFile(join(host.rootPath, '/root/anchors'), `trust-anchors { ${anchor} };\n`)
    const argv = ['delv', '@127.0.0.1', '-a', '/root/anchors', '+root=example.net'] as const
    const { stdout, stderr } = await host.exec([...argv, 'www.example.net', 'A'])
    assert.match(stdout + stderr, /fully validated[\s\S]*192\.0\.2\.50/)
  })

  it('rolls a key over, and delv gets no bogus answer', { skip: !isLong && 'takes longer' }, async () => {
    await host.must(['sh', '-c', 'echo nameserver 127.0.0.1 > /etc/resolv.conf'])
    const [parent, child] = ['parent.example', 'child.parent.example']
    const set = (name: string, type: string, content: string) => ({
      ...{ name, type, ttl: 2, records: [{ content }] },
    })
    for (const name of [parent, child]) {
      const soa = set('@', 'SOA', `ns1.${name}. hostmaster.${name}. 1 2 2 604800 2`)
      const rrsets = [soa, set('@', 'NS', `ns1.${name}.`), set('www', 'A', '192.0.2.80')]
      await must('POST', '/zones', { name, rrsets })
    }
    const sign = async (name: string): Promise<string> => (await must('POST', `/zones/${name}/dnssec`)).ds[0]
    const publish = (ds: string) =>
      must('PATCH', `/zones/${parent}/records`, {
        rrsets: [set('child', 'NS', `ns1.${child}.`), set('child', 'DS', ds)],
      })
    const [tag, algorithm, type, digest] = (await sign(parent)).split(' ')
    const anchor = `${parent}. static-ds ${tag} ${algorithm} ${type} "${digest}";`
    await writeFile(join(host.rootPath, '/root/parent-anchors'), `trust-anchors { ${anchor} };\n`)
    await publish(await sign(child))
    let isRolling = true
    const asking = (async () => {
      const argv = ['delv', '@127.0.0.1', '-a', '/root/parent-anchors', `+root=${parent}`] as const
      const answers: string[] = []
      while (isRolling) {
        const { stdout, stderr } = await host.exec([...argv, `www.${child}`, 'A'])
        answers.push(stdout + stderr)
      }
      return answers
    })()
    const path = `/zones/${child}/dnssec`
    const take = (step: string) => must('POST', `${path}/rollover`, { step })
    const reach = (state: string) =>
      poll(state, 120_000, async () => (await must('GET', path)).rollover.state === state || undefined)
    const roll = async () => {
      await take('start')
      await reach('waiting_for_parent')
      await publish((await must('GET', path)).rollover.ds[0])
      await take('ds_published')
      await reach('ready')
      await take('finish')
    }
    const [answers] = await Promise.all([asking, roll().finally(() => (isRolling = false))])
    assert.ok(answers.length > 0)
    assert.deepEqual(
      answers.filter((answer) => !/fully validated[\s\S]*192\.0\.2\.80/.test(answer)),
      [],
    )
    assert.equal((await must('GET', path)).keys.length, 1)
  })

  it('answers with an address of a weighted rule, as the simulation does', async () => {
    const config = { targets: ['192.0.2.70', '192.0.2.71'].map((value) => ({ value, weight: 1 })), ttl: 1 }
    const rule = { zone: 'example.net', record_name: 'both', rule_type: 'weighted', config }
    await must('POST', '/smart-rules', rule)
    assert.match(await dig('both.example.net', 'A'), /^192\.0\.2\.7[01]$/)
    const client = { zone: 'example.net', record_name: 'both', address: '203.0.113.9' }
    const simulated = await must('POST', '/smart-rules/simulate', client)
    assert.match(simulated.answers.join(), /^192\.0\.2\.7[01]$/)
  })

  it('restarts PowerDNS with another role, and undoes it', async () => {
    const [before, settings] = [await mainPid(), await readFile(join(host.rootPath, settingsPath), 'utf8')]
    await must('POST', '/replication', { role: 'native' })
    assert.notEqual(await mainPid(), before)
    assert.equal(existsSync(join(host.rootPath, settingsPath)), false)
    assert.equal((await must('GET', '/zones/example.net')).kind, 'Native')
    const { data } = await admin.ask('GET', '/api/activity?per_page=1')
    const { status, message } = await admin.ask('POST', `/api/activity/${data.items[0].id}/undo`)
    assert.equal(status, 200, message)
    assert.equal(await readFile(join(host.rootPath, settingsPath), 'utf8'), settings)
    assert.equal((await must('GET', '/zones/example.net')).kind, 'Master')
    assert.equal(await dig('www.example.net', 'A'), '192.0.2.50')
  })
})

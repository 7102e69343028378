import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { activityAfter, changesAfter, newestEntry, RandomChanges, usersOf } from './story/random-changes.ts'
import { SignedIn } from './story/signed-in.ts'

const limitMs = 300_000
const rounds = 200
const base = '/api/replication-servers'
const address = '10.79.0.12'

/** The panel of a host behind TLS with the panel's own certificate, as other hosts reach it. */
async function serveByTls(host: Host): Promise<void> {
  const server = `server { listen ${address}:2087 ssl; client_max_body_size 0; proxy_buffering off;
    ssl_certificate /var/lib/hostreeve/tls/panel.crt; ssl_certificate_key /var/lib/hostreeve/tls/panel.key;
    location / { proxy_pass http://127.0.0.1:7070; proxy_set_header Host $http_host; proxy_read_timeout 600s; } }\n`
  await writeFile(join(host.rootPath, '/etc/nginx/conf.d/panel.conf'), server)
  await host.must(['systemctl', 'restart', 'nginx'])
}

describe('a host that repeats the changes of another one', () => {
  let [first, second]: Host[] = []
  let [source, target]: Panel[] = []
  let [admin, there]: SignedIn[] = []
  let id: number
  let key: string
  before(async () => {
    first = await bootHost('replfirst', { addresses: ['10.79.0.11/24'] })
    second = await bootHost('replsecond', { addresses: [`${address}/24`] })
    source = await startPanel(first)
    target = await startPanel(second)
    admin = await SignedIn.as(source)
    there = await SignedIn.as(target)
    await there.installNginx()
    await admin.installNginx()
    await serveByTls(second)
  })
  after(async () => {
    await second?.remove()
    await first?.remove()
  })

  const log = (query = ''): Promise<any[]> => admin!.must('GET', `${base}/${id}/action-log?limit=500${query}`)
  const delivered = () =>
    poll('every change to have arrived', limitMs, async () =>
      (await log('&status=pending')).length === 0 ? true : undefined,
    )
  const failed = () => log('&status=failed')
  const names = async (on: SignedIn): Promise<string[]> =>
    (await on.must('GET', '/api/users?per_page=200')).items.map((each: { fullname: string }) => each.fullname)

  it('follows the guide, as it stands there', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/replication-servers.md'), 'utf8')
    const [onSecond = '', ...onFirst] = shellBlocks(guide)
    key = (await runAll(second!, target!, [onSecond])).trim()
    assert.match(key, /^bap_/)
    const output = await runAll(first!, source!, [`HOST=${address}\nKEY=${key}\n`, ...onFirst])
    assert.match(output, /"status": ?"active"/)
    const [server] = await admin!.must('GET', base)
    id = server.id
    assert.deepEqual([server.name, server.status, server.pending], ['second', 'active', 0])
    assert.ok((await names(there!)).includes('Grace'))
    await SignedIn.as(target!, 'grace@example.com', 'a password for Grace')
  })

  it('repeats a website with its owner and its aliases, under the ids that it has itself', async () => {
    await there!.must('POST', '/api/users', {
      email: 'own@example.com',
      fullname: 'Only there',
      password: 'a password of there',
    })
    await admin!.must('PUT', `${base}/${id}/categories`, {
      categories: { websites: true, aliases: true, crontab: true },
    })
    const ada = await admin!.makeOwner('ada')
    const site = await ada.signedIn.must('POST', '/api/websites', { domain: 'site.example', type: 'static' })
    await ada.signedIn.must('POST', `/api/websites/${site.id}/aliases`, { name: 'www.site.example' })
    await delivered()
    assert.deepEqual(await failed(), [])
    const { items } = await there!.must('GET', '/api/websites')
    assert.deepEqual(
      items.map((each: any) => [each.domain, each.username, each.aliases]),
      [['site.example', 'ada', ['www.site.example']]],
    )
    const page = await second!.request({
      path: '/',
      address: '127.0.0.1',
      port: 80,
      headers: { host: 'www.site.example' },
    })
    assert.equal(page.status, 200)
    const { job_id } = await ada.signedIn.must('POST', `/api/websites/${site.id}/clone`, {
      domain: 'copy.example',
    })
    await ada.signedIn.followJob(job_id)
    const backup = await ada.signedIn.ask('POST', `/api/websites/${site.id}/backups`, {})
    assert.match(backup.bytes.toString(), /data: /)
    await delivered()
    assert.deepEqual(await failed(), [])
    const copies = await there!.must('GET', '/api/websites')
    assert.deepEqual(copies.items.map((each: any) => each.domain).toSorted(), [
      'copy.example',
      'site.example',
    ])
    const { id: siteThere } = copies.items.find((each: any) => each.domain === 'site.example')
    const backups = await there!.must('GET', `/api/websites/${siteThere}/backups`)
    assert.equal(backups.items.length, 1)
    const own = await SignedIn.as(target!, ada.email, ada.password)
    const refused = await own.ask('POST', '/api/websites', { domain: 'other.example', type: 'static' })
    assert.deepEqual([refused.status, /locked/.test(refused.message)], [403, true])
  })

  it('has 200 random changes once and in order, though both panels are killed and the cable is cut', async (t) => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    t.diagnostic(`seed ${seed}`)
    const changes = new RandomChanges(seed)
    const [newest, newestThere] = [await newestEntry(admin!), await newestEntry(there!)]
    for (let round = 0; round < rounds; round++) {
      await changes.make(admin!)
      if (round === 40) {
        await target!.kill9()
        await target!.start()
      }
      if (round === 90) {
        await source!.kill9()
        await source!.start()
      }
      if (round === 140) await second!.cutNetwork()
      if (round === 165) {
        assert.ok((await log('&status=pending')).length >= 25)
        await second!.restoreNetwork()
      }
    }
    await delivered()
    const { done } = changes
    for (const method of ['POST', 'PATCH', 'DELETE']) assert.ok(done.some(([each]) => each === method))
    assert.deepEqual(await changesAfter(there!, newestThere, `peer:${id}`), done, `seed ${seed}`)
    assert.deepEqual(await changesAfter(admin!, newest), done, `seed ${seed}`)
    const requests = (await log()).slice(0, rounds).toReversed() // the newest first
    assert.deepEqual(
      requests.map(({ method, status }: any) => [method, status]),
      done.map(([method]) => [method, 'success']),
    )
    const left = async (on: SignedIn) => (await usersOf(on)).map(({ email, fullname }) => [email, fullname])
    assert.deepEqual(await left(there!), await left(admin!), `seed ${seed}`)
  })

  it('repeats neither what came from a panel, nor what is of another category', async () => {
    const back = await there!.must('POST', base, {
      ...{ name: 'first', host: '10.79.0.11', api_key: 'bap_of_the_first_panel' },
    })
    const { id: backId } = back
    await there!.must('PUT', `${base}/${backId}/categories`, { categories: { users: true } })
    const returned = async () =>
      (await there!.must('GET', `${base}/${backId}/action-log`)).map((each: any) => each.endpoint)
    const count = (await log()).length
    const [plugin] = await admin!.must('GET', '/api/plugins')
    await admin!.must('POST', `/api/plugins/${plugin.name}/enable`)
    assert.equal((await log()).length, count)
    const person = { email: 'once@example.com', fullname: 'Once', password: 'a password of a round' }
    await admin!.must('POST', '/api/users', person)
    await delivered()
    assert.ok((await names(there!)).includes('Once'))
    assert.deepEqual(await returned(), [])
    await there!.must('POST', '/api/users', { ...person, email: 'own2@example.com', fullname: 'Own' })
    assert.deepEqual(await returned(), ['/api/users'])
    await there!.must('DELETE', `${base}/${backId}`)
  })

  it('gets nothing once it has another key, until that is trusted', async () => {
    const folder = '/var/lib/hostreeve/tls'
    await second!.must([
      'openssl',
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-subj', '/CN=impostor', '-keyout', `${folder}/panel.key`, '-out', `${folder}/panel.crt`],
    ])
    await second!.must(['systemctl', 'restart', 'nginx'])
    await admin!.must('POST', '/api/users', {
      email: 'late@example.com',
      fullname: 'Late',
      password: 'a password of somebody late',
    })
    const action = await poll('the refusal', limitMs, async () => {
      const [row] = await log()
      return row.error_message === '' ? undefined : row
    })
    assert.match(action.error_message, /another public key/)
    const { message } = await admin!.must('POST', `${base}/${id}/test`)
    const found = /[A-Za-z0-9+/]{43}=/.exec(message)?.[0]
    assert.ok(found !== undefined, message)
    assert.ok(!(await names(there!)).includes('Late'))
    const trusted = await admin!.must('POST', `${base}/${id}/test`, { trust: true })
    assert.deepEqual([trusted.status, trusted.public_key], ['active', found])
    await delivered()
    assert.ok((await names(there!)).includes('Late'))
  })

  it('shows no secret in a command, a log or the activity', async () => {
    const texts = [
      JSON.stringify(await log()),
      JSON.stringify(await activityAfter(admin!, 0)),
      JSON.stringify(await activityAfter(there!, 0)),
      await source!.log(),
      await target!.log(),
      (await first!.must(['ps', '-eo', 'args'])).stdout,
    ]
    for (const text of texts) {
      assert.ok(!text.includes(key))
      assert.doesNotMatch(text, /a password (for Grace|of a round)/)
    }
  })

  it('lets everybody create websites again, and is deleted', async () => {
    await admin!.must('PATCH', `${base}/${id}/categories/websites`, { enabled: false })
    await delivered()
    assert.equal((await there!.must('GET', '/api/settings/website-creation-lock')).locked, false)
    await admin!.must('DELETE', `${base}/${id}`)
    assert.deepEqual(await admin!.must('GET', base), [])
  })
})

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Host } from './harness/index.ts'
import { generations, hostState, leftovers } from './story/host-state.ts'
import { holdPort } from './story/port-holder.ts'
import { SteadySite, steady } from './story/steady-site.ts'
import { visit } from './story/visit.ts'

describe('the configuration of nginx, when something goes wrong', () => {
  let site: SteadySite
  let host: Host
  const inHost = (path: string) => site.at(path)
  const create = (domain: string) => site.create(domain)

  before(async () => {
    site = await SteadySite.make('faults')
    host = site.host
  })
  beforeEach(() => site.assertServed())
  after(() => site?.remove())

  it('shows nginx’s words and changes nothing when nginx refuses it', async () => {
    await writeFile(inHost('etc/nginx/conf.d/broken.conf'), 'server { nonsense on; }\n')
    const former = await hostState(host)
    const answer = await create('refused.example.com')
    assert.deepEqual([answer.status, answer.code], [500, 'config_failed'])
    assert.match(answer.message, /unknown directive "nonsense" in \/etc\/nginx\/conf\.d\/broken\.conf:1/)
    await assertAsBefore(former)
    await rm(inHost('etc/nginx/conf.d/broken.conf'))
    assert.equal((await create('refused.example.com')).status, 201)
  })

  it('goes back when nginx accepts it, says so with exit status 0, and does not take it', async () => {
    const release = await holdPort(host, 8081, '127.0.0.1')
    await writeFile(inHost('etc/nginx/conf.d/other.conf'), 'server { listen 127.0.0.1:8081; return 204; }\n')
    const former = await hostState(host)
    const answer = await create('untaken.example.com')
    assert.deepEqual([answer.status, answer.code], [500, 'config_failed'])
    assert.match(answer.message, /bind\(\) to 127\.0\.0\.1:8081 failed/)
    await assertAsBefore(former)
    await release()
    assert.equal((await create('untaken.example.com')).status, 201)
    assert.equal((await host.request({ port: 8081 })).status, 204)
    await rm(inHost('etc/nginx/conf.d/other.conf'))
  })

  it('keeps a file that was edited by hand, and shows what would be lost', async () => {
    const path = inHost(`etc/nginx/hostreeve/sites/${steady}.conf`)
    const written = await readFile(path, 'utf8')
    await writeFile(
      path,
      written.replace('server_tokens off;', 'server_tokens off;\n    add_header X-By-Hand yes;'),
    )
    const former = await hostState(host)
    for (const [method, way, body] of [
      ['PATCH', '', { aliases: ['www.steady.example.com'] }],
      ['POST', '/suspend', undefined],
    ] as const) {
      const answer = await site.ada.ask(method, `/api/websites/${site.id}${way}`, body)
      assert.deepEqual([answer.status, answer.code], [409, 'edited_by_hand'])
      assert.match(String(answer.error['diff']), /^-.*X-By-Hand yes/m)
      await assertAsBefore(former)
    }
    await writeFile(path, written)
    await site.ada.must('PATCH', `/api/websites/${site.id}`, { aliases: ['www.steady.example.com'] })
  })

  it('names the full disk and undoes what was done when there is no room for its file', async () => {
    await host.must([
      'sh',
      '-c',
      'cp -a /etc/nginx/hostreeve/sites /root/ && mount -t tmpfs -o size=256k,mode=755 tmpfs /etc/nginx/hostreeve/sites && cp -a /root/sites/. /etc/nginx/hostreeve/sites/',
    ])
    await host.exec(['dd', 'if=/dev/zero', 'of=/etc/nginx/hostreeve/sites/fill', 'bs=4k', 'count=200'])
    const former = await hostState(host)
    const answer = await create('full.example.com')
    assert.deepEqual([answer.status, answer.code], [507, 'insufficient_storage'])
    assert.match(answer.message, /\/etc\/nginx\/hostreeve\/sites/)
    await assertAsBefore(former)
    await host.must(['rm', '/etc/nginx/hostreeve/sites/fill'])
    await host.must(['umount', '/etc/nginx/hostreeve/sites'])
    assert.equal((await create('full.example.com')).status, 201)
  })

  it('goes live for thirty sites at once with far fewer reloads', async () => {
    const reloads = () =>
      readFileSync(inHost('var/log/nginx/error.log'), 'utf8').match(/signal 1 \(SIGHUP\) received/g)
        ?.length ?? 0
    const formerly = reloads()
    const domains = Array.from({ length: 30 }, (_, index) => `many${index}.example.com`)
    const answers = await Promise.all(domains.map(create))
    assert.deepEqual(
      answers.map(({ status }) => status),
      domains.map(() => 201),
      answers.find(({ status }) => status !== 201)?.message ?? '',
    )
    for (const domain of domains)
      assert.match((await visit(host, domain)).text, new RegExp(`<h1>${domain}</h1>`))
    assert.ok(reloads() > formerly && reloads() - formerly <= 10, `${reloads() - formerly} reloads`)
  })

  it('never kept a website from being served for more than two seconds', async () => {
    await site.assertAlwaysServed()
  })

  it('asks for nginx while it is not installed, and serves again once it is', async () => {
    await host.must(['apt-get', '-q', '-y', 'remove', '--autoremove', 'nginx'], { timeoutMs: 60_000 })
    await assertAsksForNginx('removed.example.com')
    await site.admin.installNginx()
    await site.assertServed()
    await host.must(['apt-get', '-q', '-y', 'purge', '--autoremove', 'nginx', 'nginx-common'], {
      timeoutMs: 60_000,
    })
    await assertAsksForNginx('purged.example.com')
    await site.admin.installNginx()
    assert.equal((await create('purged.example.com')).status, 201)
    assert.match((await visit(host, 'purged.example.com')).text, /<h1>purged\.example\.com</)
    assert.equal((await site.admin.must('GET', '/api/activity/verify')).ok, true)
  })

  async function assertAsksForNginx(domain: string): Promise<void> {
    const answer = await create(domain)
    assert.deepEqual([answer.status, answer.code], [503, 'unavailable'])
    assert.match(answer.message, /nginx is not installed/)
    assert.ok(!(await site.domains()).includes(domain))
    assert.ok(!existsSync(inHost(`home/ada/sites/${domain}`)))
  }

  async function assertAsBefore(former: Awaited<ReturnType<typeof hostState>>): Promise<void> {
    assert.deepEqual(await hostState(host), former)
    assert.deepEqual(await leftovers(host), [])
    await site.assertServed()
    const { onDisk, served } = await generations(host)
    assert.equal(served, onDisk)
  }
})

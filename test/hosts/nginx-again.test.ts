import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { leftovers } from './story/host-state.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'

const domains = ['old.example.com', 'older.example.com', 'oldest.example.com']
const pageOf = (domain: string) => `<h1>${domain}</h1>\n`

describe('the websites of a host', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  const ids = new Map<string, number>()
  const purge = () => host.must(['apt-get', 'purge', '-y', '-q', 'nginx-common'])
  const fileOf = (domain: string) => join(host.rootPath, 'etc/nginx/hostreeve/sites', `${domain}.conf`)
  const assertServed = async () => {
    for (const domain of domains) assert.equal((await visit(host, domain)).text, pageOf(domain), domain)
    assert.deepEqual(await leftovers(host), [])
  }

  before(async () => {
    host = await bootHost('again', { without: ['nginx'] })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    ada = await admin.makeOwner('ada')
    for (const domain of domains) {
      ids.set(domain, (await ada.signedIn.must('POST', '/api/websites', { domain, type: 'static' })).id)
      const page = { username: 'ada', path: `sites/${domain}/public/index.html`, content: pageOf(domain) }
      await ada.signedIn.must('POST', '/api/filemanager/write', page)
    }
    await ada.signedIn.must('POST', `/api/websites/${ids.get('older.example.com')}/aliases`, {
      name: 'www.older.example.com',
    })
    await assertServed()
  })
  after(() => host?.remove())

  it('are all served again, as they were, when nginx was purged and the panel installs it again', async () => {
    await purge()
    await assert.rejects(visit(host, domains[0] as string))
    const planned = await admin.ask('POST', '/api/system/rewrite-all?plan=1')
    assert.deepEqual([planned.status, planned.code], [503, 'unavailable'])
    const events = await admin.installNginx()
    assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events.slice(-5)))
    const followed = await admin.latestJob('programs.serve_again')
    assert.deepEqual(followed.result.written, domains)
    await assertServed()
    assert.equal((await visit(host, 'www.older.example.com')).text, pageOf('older.example.com'))
    assert.equal((await admin.must('GET', '/api/activity/verify')).ok, true)
  })

  it('are planned and served again by one change when their files and log folders were removed', async () => {
    for (const domain of domains) await rm(fileOf(domain))
    await host.must(['rm', '-rf', '/var/log/hostreeve/sites/old.example.com'])
    const plan = await admin.must('POST', '/api/system/rewrite-all?plan=1')
    assert.deepEqual(
      plan.steps.map(({ files = [] }: { readonly files?: readonly object[] }) => files.length),
      [0, 3],
    )
    assert.deepEqual((await admin.must('POST', '/api/system/rewrite-all')).written, domains)
    await assertServed()
  })

  it('keep a file that was edited by hand, and give it up where the caller says so after a look at the plan', async () => {
    const [domain, id] = ['old.example.com', ids.get('old.example.com')]
    const written = await readFile(fileOf(domain), 'utf8')
    await writeFile(
      fileOf(domain),
      written.replace('server_tokens off;', 'server_tokens off;\n    add_header X-By-Hand yes;'),
    )
    assert.deepEqual((await admin.must('POST', '/api/system/rewrite-all')).left, [
      { domain, reason: 'Its file was edited by hand' },
    ])
    const [step] = (await ada.signedIn.must('POST', `/api/websites/${id}/suspend?plan=1`)).steps
    assert.match(step.refused, /old\.example\.com\.conf was edited by hand/)
    assert.match(step.files[0].diff, /^-.*X-By-Hand yes/m)
    assert.equal((await ada.signedIn.ask('POST', `/api/websites/${id}/suspend`)).code, 'edited_by_hand')
    await ada.signedIn.must('POST', `/api/websites/${id}/suspend?overwrite=true`)
    assert.equal((await visit(host, domain)).status, 503)
    await ada.signedIn.must('POST', `/api/websites/${id}/unsuspend`)
    await assertServed()
  })
})

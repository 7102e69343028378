import assert from 'node:assert/strict'
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, type Panel, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'

describe('snapshots of the managed files', () => {
  let [host, panel, admin] = [{} as Host, {} as Panel, {} as SignedIn]
  before(async () => {
    host = await bootHost('snapshots1', { image: 'logForwarding' })
    await host.must(['systemctl', 'enable', '--now', 'rsyslog'])
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.must('POST', '/api/settings/remote-logging', rule(514))
  })
  after(async () => host.remove?.())

  const rule = (port: number) => ({ enabled: true, server: '127.0.0.2', port })
  const path = () => join(host.rootPath, 'etc/rsyslog.d/10-hostreeve-remote.conf')
  const text = () => readFile(path(), 'utf8')
  const restore = (name: string) => admin.ask('POST', `/api/system/snapshots/${name}/restore`)
  const loadedSince = async () =>
    (await host.must(['systemctl', 'show', '--property=ActiveEnterTimestampMonotonic', 'rsyslog'])).stdout

  it('are restored after managed files were changed and removed by hand', async () => {
    const saved = await text()
    const { files } = await admin.must('POST', '/api/system/snapshots', { name: 'one' })
    assert.ok(files >= 1)
    await appendFile(path(), '# mine\n')
    const { data: plan } = await admin.ask('POST', '/api/system/snapshots/one/restore?plan=1')
    assert.match(JSON.stringify(plan), /-# mine/)
    const before = await loadedSince()
    const { status, data, message } = await restore('one')
    assert.equal(status, 200, message)
    assert.deepEqual(data.files, ['/etc/rsyslog.d/10-hostreeve-remote.conf'])
    assert.equal(await text(), saved)
    assert.notEqual(await loadedSince(), before, 'rsyslog has loaded it')
    await rm(path())
    assert.equal((await restore('one')).status, 200)
    assert.equal(await text(), saved)
  })

  it('take settings of the store back with their files, and keep the activity', async () => {
    const saved = await text()
    await admin.must('POST', '/api/settings/remote-logging', rule(601))
    const latest = (await admin.must('GET', '/api/activity')).items[0].id
    assert.equal((await restore('one')).status, 200)
    assert.equal(await text(), saved)
    assert.equal((await admin.must('GET', '/api/settings/remote-logging')).port, 514)
    assert.ok((await admin.must('GET', '/api/activity')).items[0].id > latest)
  })

  it('change nothing where a program refuses a file', async () => {
    const file = join(host.rootPath, 'var/lib/hostreeve/snapshots/one/files.json')
    const { stdout } = await host.must(['find', '/', '-xdev', '-path', '*/snapshots/one/files.json'])
    const found = stdout.trim() === '' ? file : join(host.rootPath, stdout.trim())
    const content = JSON.parse(await readFile(found, 'utf8'))
    for (const each of content.files) each.content = each.content.replace('omfwd', 'omnothing')
    await writeFile(found, JSON.stringify(content))
    const saved = await text()
    const { status, code, message } = await restore('one')
    assert.deepEqual([status, code], [500, 'restore_failed'], message)
    assert.match(message, /omnothing/)
    assert.equal(await text(), saved)
  })

  it('do as the guide says', async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/snapshots.md'), 'utf8'))
    assert.ok(blocks.length > 0)
    await runAll(host, panel, blocks)
  })

  it('take back the settings of a website with its pool, unless it was suspended since', async () => {
    await admin.installNginx()
    const ada = await admin.makeOwner('ada')
    const domain = 'ada.example.com'
    const { id } = await ada.signedIn.must('POST', '/api/websites', { domain, type: 'php' })
    await ada.signedIn.must('POST', '/api/filemanager/write', {
      username: 'ada',
      path: `sites/${domain}/public/index.php`,
      content: "<?php echo ini_get('memory_limit');",
    })
    const shown = async (at = '/') => {
      const { status, text: limit } = await visit(host, domain, at)
      return [status, limit]
    }
    assert.deepEqual(await shown(), [200, '128M'])
    await admin.must('POST', '/api/system/snapshots', { name: 'site' })
    const redirects = [{ from: '/a', to: '/b' }]
    await admin.must('PATCH', `/api/websites/${id}`, { limits: { memory_mb: 256 }, redirects })
    assert.deepEqual(await shown(), [200, '256M'])
    assert.equal((await shown('/a'))[0], 301)
    const { status, message } = await restore('site')
    assert.equal(status, 200, message)
    assert.deepEqual(await shown('/a'), [200, '128M'])
    assert.deepEqual((await admin.must('GET', `/api/websites/${id}`)).redirects, [])
    await admin.must('POST', `/api/websites/${id}/suspend`)
    const refused = await restore('site')
    assert.deepEqual([refused.status, refused.code], [409, 'snapshot_unfit'])
    assert.match(refused.message, /is_suspended of the website ada\.example\.com was changed/)
    assert.equal((await shown())[0], 503)
  })
})

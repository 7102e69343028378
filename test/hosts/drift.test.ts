import assert from 'node:assert/strict'
import { appendFile, copyFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

interface Difference {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly diff: string
  readonly rights: { readonly wanted: string; readonly present: string } | null
  readonly revert_refusal: string | null
}

const sites = '/etc/nginx/hostreeve/sites'
const rule = '/etc/rsyslog.d/10-hostreeve-remote.conf'

describe('drift on a host', () => {
  let [host, panel, admin] = [{} as Host, {} as Panel, {} as SignedIn]
  before(async () => {
    host = await bootHost('drift1', { image: 'logForwarding' })
    await host.must(['systemctl', 'enable', '--now', 'rsyslog', 'cron'])
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    const forward = { enabled: true, server: '127.0.0.2', port: 514 }
    await admin.must('POST', '/api/settings/remote-logging', forward)
    await admin.installNginx()
    for (const username of ['ada', 'bob', 'eve']) {
      const { signedIn } = await admin.makeOwner(username)
      await signedIn.must('POST', '/api/websites', { domain: `${username}.example.com`, type: 'static' })
    }
    await admin.must('POST', '/api/services/cron/enable') // it is: the panel was asked for it all the same
    await admin.must('POST', '/api/services/nginx/restart')
  })
  after(async () => host.remove?.())

  const at = (path: string) => join(host.rootPath, path)
  const siteOf = (domain: string) => `${sites}/${domain}.conf`
  const list = async (): Promise<readonly Difference[]> => (await admin.must('GET', '/api/drift')).items
  const settle = async ({ id, name }: Difference, how: 'adopt' | 'revert') => {
    const { status, message } = await admin.ask('POST', `/api/drift/${id}/${how}`)
    assert.equal(status, 200, `${how} ${name}: ${message}`)
  }
  const statesOf = (found: readonly Difference[]) =>
    Object.fromEntries(found.map(({ name, state }) => [name, state]))
  const isActive = async (unit: string) => (await host.exec(['systemctl', 'is-active', unit])).stdout.trim()
  const entryOf = async (account: string) => (await host.exec(['getent', 'passwd', account])).stdout.trim()

  it('is none after changes of the panel, also if it was killed since', async () => {
    assert.deepEqual(await list(), [])
    assert.deepEqual(await admin.must('POST', '/api/drift/check'), { found: 0 })
    await panel.kill9()
    await panel.start()
    admin = await SignedIn.as(panel)
    assert.deepEqual(await list(), [])
  })

  it('is found after ten kinds of manual edits, notified of, and reverted or adopted', async () => {
    const former = await readFile(at(siteOf('ada.example.com')), 'utf8')
    const bob = await readFile(at(siteOf('bob.example.com')), 'utf8')
    const eve = await readFile(at(siteOf('eve.example.com')), 'utf8')
    const formerRule = await readFile(at(rule), 'utf8')
    const { items } = await admin.must('GET', '/api/websites')
    const { id } = items.find(({ domain }: { domain: string }) => domain === 'eve.example.com')
    await admin.must('DELETE', `/api/websites/${id}`)
    // a file edited, replaced, removed, copied, brought back
    await appendFile(at(siteOf('ada.example.com')), '# by hand\n')
    await writeFile(at(rule), '# nothing of the panel\n')
    await rm(at(siteOf('bob.example.com')))
    await copyFile(at(siteOf('ada.example.com')), at(siteOf('copy.example.com')))
    await writeFile(at(siteOf('eve.example.com')), eve)
    // a service stopped, and one no longer started at boot; not rsyslog: systemd 252 takes a running service
    // for stopped once it is enabled again, if it has an alias
    await host.must(['systemctl', 'stop', 'nginx'])
    await host.must(['systemctl', 'disable', 'cron'])
    // accounts with another shell, expired, gone
    await host.must(['usermod', '--shell', '/bin/sh', '--', 'ada'])
    await host.must(['usermod', '--expiredate', '1', '--', 'bob'])
    await host.must(['userdel', '--force', '--', 'eve'])

    const found = await list()
    assert.deepEqual(statesOf(found), {
      ada: 'edited',
      bob: 'edited',
      eve: 'missing',
      [rule]: 'edited',
      [siteOf('ada.example.com')]: 'edited',
      [siteOf('bob.example.com')]: 'missing',
      [siteOf('copy.example.com')]: 'unexpected',
      [siteOf('eve.example.com')]: 'unexpected',
      cron: 'edited',
      nginx: 'edited',
    })
    assert.match(found.find(({ name }) => name === siteOf('ada.example.com'))?.diff ?? '', /^\+# by hand$/m)
    assert.deepEqual(await admin.must('POST', '/api/drift/check'), { found: found.length })
    await poll('a notification of the drift', 20_000, async () => {
      const notices = (await admin.must('GET', '/api/notifications')).items
      return notices.some(({ kind }: { kind: string }) => kind === 'drift_found') || undefined
    })

    // nginx checks all files at once: those that it would refuse come first
    const order = [siteOf('eve.example.com'), siteOf('copy.example.com'), 'nginx'].toReversed()
    const rank = ({ name }: Difference) => order.indexOf(name)
    for (const each of found.toSorted((one, other) => rank(other) - rank(one)))
      await settle(each, each.revert_refusal === null ? 'revert' : 'adopt')
    assert.deepEqual(await list(), [])
    assert.equal(await readFile(at(siteOf('ada.example.com')), 'utf8'), former)
    assert.equal(await readFile(at(rule), 'utf8'), formerRule)
    for (const gone of ['copy.example.com', 'eve.example.com'])
      await assert.rejects(readFile(at(siteOf(gone))), { code: 'ENOENT' })
    assert.equal(await readFile(at(siteOf('bob.example.com')), 'utf8'), bob)
    assert.equal(await isActive('nginx'), 'active')
    assert.match((await host.exec(['systemctl', 'is-enabled', 'cron'])).stdout, /^enabled/)
    assert.match(await entryOf('ada'), /:\/bin\/bash$/)
    assert.equal(await entryOf('eve'), '')
  })

  it('is found in the mode and the owner of a file, which is reverted and not adopted where others could write', async () => {
    const path = siteOf('ada.example.com')
    const { mode, uid, gid } = await stat(at(path))
    await host.must(['chmod', '0666', path])
    await host.must(['chown', 'ada:ada', path])
    const [found] = await list()
    assert.ok(found)
    assert.deepEqual([found.name, found.state, found.diff], [path, 'edited', ''])
    assert.deepEqual(found.rights, { wanted: '0644 root:root', present: '0666 ada:ada' })
    const adopted = await admin.ask('POST', `/api/drift/${found.id}/adopt`)
    assert.deepEqual([adopted.status, adopted.code], [409, 'not_adoptable'])
    await settle(found, 'revert')
    const now = await stat(at(path))
    assert.deepEqual([now.mode, now.uid, now.gid], [mode, uid, gid])
    assert.deepEqual(await list(), [])
  })

  it('names a file that is too large to be compared, and the others', async () => {
    const [large, other] = [siteOf('ada.example.com'), siteOf('bob.example.com')]
    const former = await readFile(at(large), 'utf8')
    await truncate(at(large), 17 * 1024 * 1024)
    await appendFile(at(other), '# by hand\n')
    const found = await list()
    assert.deepEqual(statesOf(found), { [large]: 'edited', [other]: 'edited' })
    assert.match(found[0]?.diff ?? '', /too large to compare its lines/)
    assert.match(found[0]?.revert_refusal ?? '', /larger than 16 MiB: move it away/)
    const made = await admin.must('POST', '/api/system/snapshots', { name: 'large' })
    assert.deepEqual(made.left_out, [large])
    const { stdout } = await host.must([
      'find',
      '/',
      '-xdev',
      '-path',
      '*/snapshots/large/*',
      '-perm',
      '/077',
    ])
    assert.equal(stdout, '', 'a snapshot is for root alone')
    await rm(at(large))
    for (const each of await list()) await settle(each, 'revert')
    assert.equal(await readFile(at(large), 'utf8'), former)
    assert.deepEqual(await list(), [])
  })

  it('stays where the program refuses the recorded file, and is settled by adopting it', async () => {
    const path = siteOf('ada.example.com')
    await appendFile(at(path), '# by hand\n')
    await writeFile(at('/etc/nginx/conf.d/broken.conf'), 'nonsense;\n')
    const [difference] = await list()
    assert.ok(difference)
    const { status, code } = await admin.ask('POST', `/api/drift/${difference.id}/revert`)
    assert.deepEqual([status, code], [500, 'revert_failed'])
    assert.match(await readFile(at(path), 'utf8'), /# by hand\n$/)
    await rm(at('/etc/nginx/conf.d/broken.conf'))
    await settle(difference, 'adopt')
    assert.deepEqual(await list(), [])
    await appendFile(at(path), '# by hand again\n')
    const [further] = await list()
    assert.ok(further)
    assert.match(further.diff, /^ # by hand\n\+# by hand again$/m)
    await settle(further, 'revert')
    assert.match(await readFile(at(path), 'utf8'), /# by hand\n$/)
  })

  it('does as the guide says', async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/drift.md'), 'utf8'))
    assert.ok(blocks.length > 0)
    await runAll(host, panel, blocks)
  })
})

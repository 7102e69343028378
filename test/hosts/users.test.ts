import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { after as afterMs, killWhile } from './story/kill.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { visit } from './story/visit.ts'

describe('the users of a host', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn

  before(async () => {
    host = await bootHost('users')
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
  })
  after(() => host?.remove())

  const uidOf = async ({ signedIn }: Owner): Promise<number> =>
    (await signedIn.must('GET', '/api/auth/me')).id
  const accountOf = async (name: string) => (await host.exec(['getent', 'passwd', name])).stdout.trim()
  const passes = async (...argv: [string, ...string[]]) => (await host.exec(argv)).code === 0

  it('are deleted with their websites; the account is locked, its programs end, the files stay', async () => {
    const ada = await admin.makeOwner('ada')
    const uid = await uidOf(ada)
    const site = { domain: 'ada.example.com', type: 'static' }
    await ada.signedIn.must('POST', '/api/websites', site)
    const page = (await visit(host, site.domain)).text
    assert.match(page, /ada\.example\.com/)
    await host.must(['sh', '-c', 'echo ada:secret-of-ada | chpasswd'])
    await host.must(['systemd-run', '--uid=ada', '--unit=of-ada', 'sleep', '600'])
    await admin.must('DELETE', `/api/users/${uid}`)
    assert.equal(await passes('systemctl', 'is-active', 'of-ada'), false)
    assert.match((await host.must(['passwd', '--status', 'ada'])).stdout, /^ada L/)
    assert.match(await accountOf('ada'), /:\/usr\/sbin\/nologin$/)
    assert.equal(await passes('test', '-f', '/home/ada/sites/ada.example.com/public/index.html'), true)
    assert.equal(await passes('test', '-L', '/home/ada/logs/ada.example.com'), false)
    assert.notEqual((await visit(host, 'ada.example.com')).text, page)
    assert.equal((await ada.signedIn.ask('GET', '/api/auth/me')).status, 401)
    const [entry] = (await admin.must('GET', '/api/activity?limit=1')).items
    assert.deepEqual([entry.action, entry.status], ['user_deleted', 'ok'])
  })

  it('are deleted with their homes, which an archive keeps for root, locked files and links too', async () => {
    const ben = await admin.makeOwner('ben')
    const uid = await uidOf(ben)
    await ben.signedIn.must('POST', '/api/websites', { domain: 'ben.example.com', type: 'static' })
    const shell =
      'echo kept > letter; ln -s /etc link; mkdir -p deep/er; echo x > deep/er/.locked; mkdir ro; chmod 500 ro'
    await host.must([
      'setpriv',
      '--reuid=ben',
      '--regid=ben',
      '--init-groups',
      'sh',
      '-c',
      `cd /home/ben; ${shell}`,
    ])
    await ben.signedIn.must('POST', '/api/filemanager/lock', { username: 'ben', path: 'deep/er/.locked' })
    const { archive } = await admin.must('DELETE', `/api/users/${uid}?files=archive`)
    assert.match((await host.must(['stat', '--format=%a %U', archive])).stdout, /^600 root/)
    const listed = (await host.must(['tar', '-tzf', archive])).stdout
    for (const name of ['letter', 'link', 'deep/er/.locked', 'sites/ben.example.com/public/index.html'])
      assert.match(listed, new RegExp(`(^|/)${name.replaceAll('.', '\\.')}$`, 'm'), name)
    assert.equal(await accountOf('ben'), '')
    assert.equal(await passes('test', '-e', '/home/ben'), false)
    assert.equal(await passes('test', '-d', '/etc'), true)
  })

  it('are deleted whole or not at all when the panel is killed meanwhile', async () => {
    for (const ms of [5, 60, 150]) {
      const cleo = await admin.makeOwner(`cleo${ms}`)
      const uid = await uidOf(cleo)
      await killWhile(panel, () => admin.ask('DELETE', `/api/users/${uid}?files=archive`), afterMs(ms))
      const isThere = async () => (await admin.ask('GET', `/api/users/${uid}`)).status === 200
      const hasAccount = (await accountOf(`cleo${ms}`)) !== ''
      if (!hasAccount) assert.equal(await passes('test', '-e', `/home/cleo${ms}`), false)
      if (await isThere()) await admin.must('DELETE', `/api/users/${uid}?files=remove`)
      assert.deepEqual([await accountOf(`cleo${ms}`), await isThere()], ['', false])
    }
    assert.equal((await admin.must('GET', '/api/activity/verify')).ok, true)
  })
})

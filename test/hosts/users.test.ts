import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
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

  const draft = { fullname: 'Owner', password: 'a password of an owner' }
  const as = (name: string, script: string) =>
    host.must(['setpriv', `--reuid=${name}`, `--regid=${name}`, '--init-groups', 'sh', '-c', script])

  it('leave neither their uid, nor their setuid files, crontab and programs to the next user', async () => {
    const gus = await admin.makeOwner('gus')
    await as('gus', 'cp /bin/bash /var/tmp/shell; chmod 4755 /var/tmp/shell; echo "* * * * * id" | crontab -')
    const uid = (await host.must(['id', '--user', 'gus'])).stdout.trim()
    const { steps } = await admin.must('DELETE', `/api/users/${await uidOf(gus)}?files=remove&plan=1`)
    assert.match(JSON.stringify(steps), /crontab and at jobs, and its files in \/tmp, \/var\/tmp/)
    await admin.must('DELETE', `/api/users/${await uidOf(gus)}?files=remove`)
    assert.equal((await host.must(['find', '/tmp', '/var', '-xdev', '-uid', uid])).stdout, '')
    await admin.must('POST', '/api/users', { ...draft, username: 'gus', email: 'gus2@example.com' })
    assert.equal((await host.exec(['crontab', '-u', 'gus', '-l'])).code, 1)
    assert.notEqual((await host.must(['id', '--user', 'gus'])).stdout.trim(), uid)
  })

  it('who may run commands as root by any rule are acted for by superusers only', async () => {
    await host.must([
      'sh',
      '-c',
      'useradd -m deploy; echo "deploy ALL=(ALL) NOPASSWD: ALL" > /etc/sudoers.d/tool',
    ])
    const keeper = await admin.makeOwner('hal')
    const permissions = ['booting_users_management']
    await admin.must('POST', `/api/users/${keeper.userId}/permissions`, { permissions })
    const register = (signedIn: SignedIn) =>
      signedIn.ask('POST', '/api/users/register-existing', {
        ...draft,
        username: 'deploy',
        email: 'd@example.com',
      })
    assert.equal((await register(keeper.signedIn)).status, 403)
    const { data } = await register(admin)
    for (const [path, body] of [
      ['ssh-keys', { public_key: 'x' }],
      ['api-keys', { name: 'k' }],
    ] as const)
      assert.equal(
        (await keeper.signedIn.ask('POST', `/api/users/${data.id}/${path}`, body)).status,
        403,
        path,
      )
    await host.must(['rm', '/etc/sudoers.d/tool'])
    assert.equal(
      (await keeper.signedIn.ask('POST', `/api/users/${data.id}/api-keys`, { name: 'k' })).status,
      200,
    )
  })

  const sudo = (username: string, isOn: boolean) =>
    admin.ask('POST', '/api/users/1/sudo', { username, sudo: isOn })
  const becomesRoot = async (name: string) =>
    (
      await host.exec([
        'setpriv',
        `--reuid=${name}`,
        `--regid=${name}`,
        '--init-groups',
        'sudo',
        '-n',
        'id',
        '-u',
      ])
    ).stdout === '0\n'

  it('run commands as root while sudo is on, also after the panel was killed while it switched it', async () => {
    await admin.makeOwner('fay')
    assert.equal(await becomesRoot('fay'), false)
    assert.equal((await sudo('fay', true)).status, 200)
    assert.equal(await becomesRoot('fay'), true)
    assert.match((await host.must(['sudo', '-l', '-U', 'fay'])).stdout, /\(ALL : ALL\) NOPASSWD: ALL/)
    assert.match((await host.must(['id', '--groups', '--name', 'fay'])).stdout, /\bsudo\b/)
    assert.deepEqual(await admin.must('GET', '/api/users/fay/sudo'), { sudo: true })
    for (const [index, ms] of [0, 5, 10, 20, 40].entries()) {
      await killWhile(panel, () => sudo('fay', index % 2 === 1), afterMs(ms))
      await host.must(['visudo', '--check'])
      const isOn = (await admin.must('GET', '/api/users/fay/sudo')).sudo
      assert.equal(await becomesRoot('fay'), isOn)
      const groups = (await host.must(['id', '--groups', '--name', 'fay'])).stdout
      assert.equal(/\bsudo\b/.test(groups), isOn)
    }
    assert.equal((await sudo('fay', false)).status, 200)
    assert.equal(await becomesRoot('fay'), false)
    assert.deepEqual((await host.must(['ls', '-A', '/etc/sudoers.d'])).stdout.match(/hostreeve/), null)
  })

  it('own accounts that the host had already, whose websites are then served', async () => {
    await host.must(['useradd', '--create-home', '--key', 'HOME_MODE=0700', 'dora'])
    const draft = {
      username: 'dora',
      email: 'dora@hosts.test',
      password: 'a long password',
      fullname: 'Dora',
    }
    const dora = await admin.must('POST', '/api/users/register-existing', draft)
    await admin.must('POST', '/api/websites', {
      domain: 'dora.example.com',
      type: 'static',
      username: 'dora',
    })
    assert.equal((await visit(host, 'dora.example.com')).status, 200)
    const [site] = await admin.must('GET', `/api/users/${dora.id}/webapps`)
    assert.equal(site.domain, 'dora.example.com')
    const file = '/etc/nginx/hostreeve/sites/dora.example.com.conf'
    const rewrite = () => admin.ask('POST', `/api/users/${dora.id}/rewrite-configs`)
    await host.must(['rm', file])
    await host.must(['sh', '-c', 'echo broken > /etc/nginx/conf.d/broken.conf'])
    const refused = await rewrite()
    assert.deepEqual([refused.status, refused.code], [500, 'rewrite_error'], refused.message)
    await host.must(['rm', '/etc/nginx/conf.d/broken.conf'])
    assert.equal((await rewrite()).status, 200)
    assert.equal(await passes('test', '-f', file), true)
    assert.equal((await visit(host, 'dora.example.com')).status, 200)
  })

  /** Waits until the jobs of a killed panel are settled: that goes on beside the first requests. */
  const recovered = () =>
    poll('no job that waits or runs', 30_000, async () => {
      const inState = async (state: string) => (await admin.must('GET', `/api/jobs?state=${state}`)).total
      return (await inState('running')) + (await inState('queued')) === 0 ? true : undefined
    })

  it('are deleted whole or not at all when the panel is killed meanwhile', async () => {
    for (const ms of [5, 60, 150]) {
      const cleo = await admin.makeOwner(`cleo${ms}`)
      const uid = await uidOf(cleo)
      await killWhile(panel, () => admin.ask('DELETE', `/api/users/${uid}?files=archive`), afterMs(ms))
      await recovered()
      const isThere = async () => (await admin.ask('GET', `/api/users/${uid}`)).status === 200
      const hasAccount = (await accountOf(`cleo${ms}`)) !== ''
      if (!hasAccount) assert.equal(await passes('test', '-e', `/home/cleo${ms}`), false)
      if (await isThere()) await admin.must('DELETE', `/api/users/${uid}?files=remove`)
      assert.deepEqual([await accountOf(`cleo${ms}`), await isThere()], ['', false])
    }
    assert.equal((await admin.must('GET', '/api/activity/verify')).ok, true)
  })
})

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { openPackages } from '../../src/host/packages.ts'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { killWhile } from './story/kill.ts'
import { holdPort } from './story/port-holder.ts'
import { type Answer, SignedIn } from './story/signed-in.ts'

const credentials = '/root/.hostreeve-mariadb.cnf'

/** Files by which the progress of dpkg is seen from outside. */
const moments = {
  'unpacks a package': '/usr/sbin/mariadbd.dpkg-new',
  'unpacks further packages': '/usr/sbin/mariadbd',
  'sets up the server': '/var/lib/mysql/ibdata1',
} as const
type Moment = keyof typeof moments
const all: readonly Moment[] = ['unpacks a package', 'unpacks further packages', 'sets up the server']
const isLong = process.env['HOSTREEVE_LONG'] !== undefined
const forDpkg: readonly Moment[] = isLong ? all : ['unpacks a package', 'sets up the server']
const forPanel: readonly Moment[] = isLong ? all : ['unpacks a package']

describe('the installation of MariaDB', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  const isThere = (path: string) => existsSync(join(host.rootPath, path))
  const install = (body: object = {}) => admin.ask('POST', '/api/sqldb/install', body)
  const sql = (...args: readonly string[]) => host.exec(['mariadb', ...args, '-Ne', 'select current_user()'])

  before(async () => {
    host = await bootHost('sqldb', { image: 'mariadb', without: ['mariadb-server'] })
    await rm(join(host.rootPath, 'var/lib/mysql'), { recursive: true })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    assert.equal(await assertWhole(), 'removed')
  })
  after(() => host?.remove())

  it('completes a package that was removed before, and whose unpacking was broken off', async () => {
    const packages = openPackages((argv, { timeoutMs = 60_000, env } = {}) =>
      host.exec(argv, { timeoutMs, ...(env && { env }) }),
    )
    await packages.install(['rsync'])
    await packages.remove(['rsync'])
    const state = ['/^Package: rsync$/,/^$/', 's/^Status: .*/Status: install reinstreq half-installed/'].join(
      ' ',
    )
    await host.must(['sed', '-i', state, '/var/lib/dpkg/status'])
    assert.notEqual((await host.must(['dpkg', '--audit'])).stdout, '')
    await packages.finish()
    assert.ok((await packages.installed()).includes('rsync'))
    await packages.remove(['rsync'])
    assert.equal(await assertWhole(), 'removed')
  })

  it('fails for MySQL, of which Debian has no package, and says so', async () => {
    const { status, code, message } = await install({ type: 'sqlclassic' })
    assert.deepEqual([status, code], [500, 'install_failed'])
    assert.match(message, /mysql-server/)
    assert.equal((await lastEntry()).status, 'restored')
  })

  it('is taken back when the server cannot start, and the answer says why', async () => {
    const release = await holdPort(host, 3306, '127.0.0.1')
    const { status, code, message } = await install()
    assert.deepEqual([status, code], [500, 'install_failed'], message)
    assert.match(message, /mariadb/)
    assert.equal(await assertWhole(), 'removed')
    assert.equal((await lastEntry()).status, 'restored', (await lastEntry()).message)
    await release()
  })

  for (const title of forDpkg)
    it(`is taken back when dpkg is killed while it ${title}`, async () => {
      const asked = install()
      await until(() => isThere(moments[title]))
      await host.must(['pkill', '-KILL', '-x', 'dpkg'])
      const { status, code, message } = await asked
      assert.deepEqual([status, code], [500, 'install_failed'], message)
      assert.equal((await lastEntry()).status, 'restored', (await lastEntry()).message)
      assert.equal(await assertWhole(), 'removed')
    })

  for (const title of forPanel)
    it(`is whole or taken back when the panel is killed while dpkg ${title}, and the activity says which`, async () => {
      const isAnswered = await killWhile(
        panel,
        () => install(),
        () => isThere(moments[title]),
      )
      assert.equal(isAnswered, false)
      await untilEnded()
      const { status, message } = await lastEntry()
      assert.equal(status, (await assertWhole()) === 'installed' ? 'ok' : 'restored', message)
    })

  it('goes on when its caller leaves', async () => {
    const socket = await host.connect(Number(panel.environment.HOSTREEVE_PORT))
    socket.on('error', () => {})
    socket.write(
      `POST /api/sqldb/install HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${admin.token}\r\nContent-Length: 0\r\n\r\n`,
    )
    await until(() => isThere(moments['unpacks a package']))
    socket.destroy()
    await untilEnded()
    assert.equal(await assertWhole(), 'installed')
    assert.equal((await lastEntry()).status, 'ok')
  })

  it('lets root in through the socket, and with the password that only root can read', async () => {
    const { mode, uid } = await stat(join(host.rootPath, credentials))
    assert.deepEqual([mode & 0o777, uid], [0o600, 0])
    assert.equal((await sql()).stdout, 'root@localhost\n')
    const withPassword = [`--defaults-extra-file=${credentials}`, '--protocol=tcp', '--host=127.0.0.1']
    assert.equal((await sql(...withPassword)).stdout, 'root@localhost\n')
    const stranger = await host.exec([
      'runuser',
      '-u',
      'www-data',
      '--',
      'mariadb',
      '-u',
      'root',
      '-e',
      'select 1',
    ])
    assert.match(stranger.stderr, /Access denied/)
    const password = /password=(.{24})\n/.exec(await readFile(join(host.rootPath, credentials), 'utf8'))?.[1]
    assert.ok(password)
    for (const text of [await panel.log(), JSON.stringify(await admin.must('GET', '/api/activity'))])
      assert.ok(!text.includes(password))
  })

  it('keeps data and password when it is asked for again, as the guide does', async () => {
    await host.must(['mariadb', '-e', 'create database shop'])
    const written = await readFile(join(host.rootPath, credentials), 'utf8')
    const guide = await readFile(join(checkout, 'docs/guides/databases.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /"installed":true,"running":true/)
    assert.match(output, /root@localhost/)
    assert.equal(await readFile(join(host.rootPath, credentials), 'utf8'), written)
    assert.match((await host.must(['mariadb', '-Ne', 'show databases'])).stdout, /^shop$/m)
    const { status, bytes }: Answer = await install()
    assert.deepEqual([status, /already installed/.test(bytes.toString())], [200, true])
  })

  const lastEntry = async () => {
    const { items } = await admin.must('GET', '/api/activity?sort=-id')
    return items.find(({ action }: { readonly action: string }) => action === 'sqldb_install')
  }

  const untilEnded = () =>
    poll('the job to end', 60_000, async () => {
      const { items } = await admin.must('GET', '/api/jobs?sort=-id')
      return ['queued', 'running'].includes(items[0].state) ? undefined : true
    })

  /** Asserts that no package is half installed, and that the server runs or left nothing; says which. */
  async function assertWhole(): Promise<'installed' | 'removed'> {
    assert.equal((await host.must(['dpkg', '--audit'])).stdout, '')
    const { stdout } = await host.must([
      'dpkg-query',
      '--show',
      '--showformat=${db:Status-Status} ${Package}\n',
    ])
    const lines = stdout.trim().split('\n')
    assert.deepEqual(
      lines.filter((line) => !/^(installed|config-files) /.test(line)),
      [],
    )
    const { installed, running } = await admin.must('GET', '/api/sqldb/status')
    assert.equal(running, installed)
    if (installed) return 'installed'
    assert.deepEqual(
      lines.filter((line) => /^installed .*(mariadb|galera)/.test(line)),
      [],
    )
    for (const path of ['/usr/sbin/mariadbd', '/var/lib/mysql', credentials]) assert.ok(!isThere(path), path)
    return 'removed'
  }
})

async function until(hasCome: () => boolean): Promise<void> {
  const limit = performance.now() + 60_000
  while (!hasCome()) {
    assert.ok(performance.now() < limit, 'dpkg did not come so far')
    await nextTurn()
  }
}

import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openPackages } from '../../src/host/packages.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { MariadbInstallation, credentials, moments } from './story/mariadb-installation.ts'
import { holdPort } from './story/port-holder.ts'

describe('the installation of MariaDB', () => {
  let mariadb: MariadbInstallation
  let host: Host
  let panel: Panel
  const sql = (...args: readonly string[]) => host.exec(['mariadb', ...args, '-Ne', 'select current_user()'])

  before(async () => {
    mariadb = await MariadbInstallation.prepare('sqldb')
    host = mariadb.host
    panel = mariadb.panel
  })
  after(() => mariadb?.host.remove())

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
    assert.equal(await mariadb.assertWhole(), 'removed')
  })

  it('fails for MySQL, of which Debian has no package, and says so', async () => {
    const { status, code, message } = await mariadb.install({ type: 'sqlclassic' })
    assert.deepEqual([status, code], [500, 'install_failed'])
    assert.match(message, /mysql-server/)
    assert.equal((await mariadb.lastEntry()).status, 'restored')
  })

  it('is taken back when the server cannot start, and the answer says why', async () => {
    const release = await holdPort(host, 3306, '127.0.0.1')
    const { status, code, message } = await mariadb.install()
    assert.deepEqual([status, code], [500, 'install_failed'], message)
    assert.match(message, /mariadb/)
    assert.equal(await mariadb.assertWhole(), 'removed')
    assert.equal((await mariadb.lastEntry()).status, 'restored', (await mariadb.lastEntry()).message)
    await release()
  })

  it('goes on when its caller leaves', async () => {
    const socket = await host.connect(Number(panel.environment.HOSTREEVE_PORT))
    socket.on('error', () => {})
    socket.write(
      `POST /api/sqldb/install HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${mariadb.admin.token}\r\nContent-Length: 0\r\n\r\n`,
    )
    await mariadb.untilThere(moments['unpacks a package'])
    socket.destroy()
    await mariadb.untilEnded()
    assert.equal(await mariadb.assertWhole(), 'installed')
    assert.equal((await mariadb.lastEntry()).status, 'ok')
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
    for (const text of [await panel.log(), JSON.stringify(await mariadb.admin.must('GET', '/api/activity'))])
      assert.ok(!text.includes(password))
  })

  it('keeps data and password when it is asked for again, as the guide does', async () => {
    await host.must(['mariadb', '-e', 'create database shop'])
    const written = await readFile(join(host.rootPath, credentials), 'utf8')
    const guide = await readFile(join(checkout, 'docs/guides/databases.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /"installed":true,"running":true/)
    assert.match(output, /root@localhost/)
    assert.match(output, /the client lost its connection/)
    assert.match(output, /"fingerprint":"select sleep\(\?\), \?","count":1/)
    assert.match(output, /^200$/m, 'the limit of connections')
    assert.match(output, /"advice":\[/)
    assert.equal(await readFile(join(host.rootPath, credentials), 'utf8'), written)
    assert.match((await host.must(['mariadb', '-Ne', 'show databases'])).stdout, /^shop$/m)
    const { status, bytes } = await mariadb.install()
    assert.deepEqual([status, /already installed/.test(bytes.toString())], [200, true])
  })
})

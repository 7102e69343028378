import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { scriptPackages, scriptSystemd } from '../../host/testing/scripted-host.ts'
import { on, type Script } from '../../host/testing/scripted-run.ts'
import { asInstalled, methodsOf, standInServer } from '../../tools/mariadb/testing/stand-in.ts'

const version = '1:10.11.14-0+deb12u2'

describe('sqldb', () => {
  const server = standInServer()
  const service = { isActive: false, isEnabled: false }
  const services = new Map([
    ['mariadb', service],
    ['nginx', { isActive: true, isEnabled: true }],
  ])
  const installed = new Map<string, string>()
  let failing: Script = () => undefined
  let panel: TestPanel
  let keeper: Person
  before(async () => {
    const scripts = [
      (...asked: Parameters<Script>) => failing(...asked),
      scriptPackages(installed, { 'mariadb-server': version }),
      scriptSystemd(services),
    ]
    panel = await openTestPanel({ scripts, mariadb: { connection: server.connection } })
    mkdirSync(`${panel.root}/root`)
    keeper = await panel.person({ permissions: ['administrative_operations'] })
    await panel.start()
  })
  after(() => panel.close())
  beforeEach(() => {
    failing = () => undefined
    installed.clear()
    Object.assign(service, { isActive: false, isEnabled: false })
    server.priv = asInstalled
    rmSync(credentials(), { force: true })
  })

  const credentials = () => `${panel.root}/root/.hostreeve-mariadb.cnf`
  const ask = (method: string, path: string, asked: object = {}) =>
    panel.request(method, `/api/sqldb${path}`, { as: keeper, ...asked })
  const install = (body?: unknown) => ask('POST', '/install', { ...(body !== undefined && { body }) })

  test('installs MariaDB, enables and starts it, and gives root a password of 24 characters', async () => {
    const { status, json } = await install({ type: 'sqlfork' })
    assert.deepEqual(
      [status, json],
      [200, { success: true, message: 'MariaDB is installed and running', type: 'sqlfork' }],
    )
    assert.deepEqual(
      [installed.get('mariadb-server'), service.isActive, service.isEnabled],
      [version, true, true],
    )
    assert.equal(statSync(credentials()).mode & 0o777, 0o600)
    const [, password = ''] =
      /^\[client\]\nuser=root\npassword=(.{24})\n$/.exec(readFileSync(credentials(), 'utf8')) ?? []
    assert.match(password, /^[\w-]{24}$/)
    const [socket, hashed = ''] = methodsOf(server)
    assert.equal(socket, 'unix_socket')
    assert.match(hashed, /^mysql_native_password \*[0-9A-F]{40}$/)
    await assertNowhere(password)
  })

  test('keeps the data and the password of a server that is installed, and starts it', async () => {
    await install()
    const [written, methods] = [readFileSync(credentials(), 'utf8'), methodsOf(server)]
    service.isActive = false
    const { status, json } = await install()
    assert.equal(status, 200)
    assert.equal(json.message, 'MariaDB is already installed: its data and its root password were kept')
    assert.deepEqual([readFileSync(credentials(), 'utf8'), methodsOf(server)], [written, methods])
    assert.equal(service.isActive, true)
  })

  test('installs MariaDB for a body without a type, or that cannot be read', async () => {
    for (const asked of [
      {},
      { body: {} },
      { body: { type: 7 } },
      { body: { type: 'oracle' } },
      { body: '{' },
    ]) {
      const { status, json } = await ask('POST', '/install', asked)
      assert.deepEqual([status, json.type], [200, 'sqlfork'], JSON.stringify(asked))
    }
  })

  test('answers install_failed with the message of apt for MySQL, which Debian does not have', async () => {
    const { status, error } = await install({ type: 'sqlclassic' })
    assert.deepEqual([status, error.code], [500, 'install_failed'])
    assert.match(error.message, /Unable to locate package mysql-server.*Nothing was changed/s)
    assert.deepEqual([...installed.keys()], [])
  })

  test('removes the packages again when the service does not start, and the activity says so', async () => {
    failing = on('systemctl --no-ask-password start -- mariadb.service', { code: 1, stderr: 'port in use' })
    const { status, error } = await install()
    assert.deepEqual([status, error.code], [500, 'install_failed'])
    assert.match(error.message, /port in use/)
    assert.deepEqual([...installed.keys()], [])
    const [entry] = (await panel.request('GET', '/api/activity', { as: panel.admin })).data.items
    assert.deepEqual([entry.action, entry.status], ['sqldb_install', 'restored'])
  })

  test('shows the packages and the credentials file in a plan, and no password', async () => {
    const { status, data } = await ask('POST', '/install?plan=1')
    assert.equal(status, 200)
    assert.match(JSON.stringify(data.steps), /apt-get.*mariadb-server.*\/root\/\.hostreeve-mariadb\.cnf/)
    assert.deepEqual([...installed.keys()], [])
  })

  test('says that the server is not installed, and does not start it', async () => {
    assert.deepEqual((await ask('GET', '/status')).data, {
      installed: false,
      running: false,
      version: null,
      reason: 'MariaDB is not installed',
    })
    for (const verb of ['start', 'stop', 'restart'])
      assert.equal((await ask('POST', `/${verb}`)).error.code, 'unavailable')
  })

  test('starts, restarts and stops the server, and reports what the service said when it does not', async () => {
    installed.set('mariadb-server', version)
    for (const [verb, running] of [
      ['start', true],
      ['restart', true],
      ['stop', false],
    ] as const) {
      assert.equal((await ask('POST', `/${verb}`)).status, 200)
      assert.deepEqual((await ask('GET', '/status')).data, {
        installed: true,
        running,
        version: '10.11.14',
        reason: null,
      })
    }
    failing = on('systemctl --no-ask-password start -- mariadb.service', { code: 1, stderr: 'port in use' })
    const { status, error } = await ask('POST', '/start')
    assert.deepEqual([status, error.code], [500, 'service_failed'])
    assert.match(error.message, /port in use/)
  })

  test('requires the permission for administrative operations', async () => {
    const person = await panel.person({ permissions: ['websites_management'] })
    for (const [method, path] of [
      ['GET', '/status'],
      ['POST', '/install'],
      ['POST', '/start'],
      ['POST', '/stop'],
      ['POST', '/restart'],
    ] as const) {
      assert.equal((await ask(method, path, { as: person })).error.code, 'forbidden')
      assert.equal((await panel.request(method, `/api/sqldb${path}`)).error.code, 'unauthorized')
    }
  })

  /** Neither in a command, nor in the log, the activity or the jobs with their progress. */
  async function assertNowhere(password: string): Promise<void> {
    const jobs = (await panel.request('GET', '/api/jobs?sort=-id', { as: panel.admin })).data.items
    const seen = [
      panel.scripted.commands,
      panel.log,
      (await panel.request('GET', '/api/activity', { as: panel.admin })).data,
      jobs,
      (await panel.request('GET', `/api/jobs/${jobs[0].id}/events`, { as: panel.admin })).text,
    ]
    for (const each of seen) assert.doesNotMatch(JSON.stringify(each), new RegExp(password))
  }
})

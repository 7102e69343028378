import assert from 'node:assert/strict'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { scriptPackages, scriptSystemd } from '../../host/testing/scripted-host.ts'
import { on, type Script } from '../../host/testing/scripted-run.ts'
import { mongoTools, standInMongodb } from '../../tools/mongodb/testing/stand-in.ts'

const versions = { 'mongodb-org-server': '8.0.4', 'mongodb-database-tools': '100.10.0' }
const packaged = 'net:\n  port: 27017\n#security:\n'
const backupRoot = '/var/backups/hostreeve/mongodb'

describe('docdb-server', () => {
  const server = standInMongodb()
  const service = { isActive: true, isEnabled: true }
  const installed = new Map<string, string>()
  let failing: Script = () => undefined
  let panel: TestPanel
  let keeper: Person
  before(async () => {
    const services = new Map([
      ['mongod', service],
      ['nginx', { isActive: true, isEnabled: true }],
    ])
    const scripts: Script[] = [
      (...asked) => failing(...asked),
      mongoTools(server),
      scriptPackages(installed, versions),
      scriptSystemd(services),
    ]
    panel = await openTestPanel({ scripts, mongodb: { connection: server.connection } })
    for (const folder of ['root', 'etc', 'var/backups'])
      mkdirSync(`${panel.root}/${folder}`, { recursive: true })
    keeper = await panel.person({ permissions: ['administrative_operations'] })
    await panel.start()
  })
  after(() => panel.close())
  beforeEach(() => {
    failing = () => undefined
    for (const [name, version] of Object.entries(versions)) installed.set(name, version)
    Object.assign(service, { isActive: true, isEnabled: true })
    Object.assign(server, { isDown: false, refused: 0, accounts: [] })
    server.databases.clear()
    server.databases.set('shop', 'now')
    rmSync(`${panel.root}${backupRoot}`, { recursive: true, force: true })
    write('/etc/mongod.conf', 'security:\n  authorization: enabled\n')
    write('/root/.hostreeve-mongodb.yaml', 'password: "from-set-up"\n')
  })

  const write = (path: string, text: string) => writeFileSync(`${panel.root}${path}`, text)
  const ask = (method: string, path: string, body?: unknown) =>
    panel.request(method, `/api/docdb-server${path}`, { as: keeper, ...(body !== undefined && { body }) })
  const failureOf = async (method: string, path: string, body?: unknown) => {
    const { status, error } = await ask(method, path, body)
    return [status, error?.code, String(error?.message)] as const
  }
  const backups = async () =>
    (await ask('GET', '/backups')).data.backups.map(({ name }: { readonly name: string }) => name)
  const place = (name: string, content = 'former') => {
    mkdirSync(`${panel.root}${backupRoot}/${name}/shop`, { recursive: true })
    write(`${backupRoot}/${name}/shop/all.bson.gz`, content)
  }
  const lastEntry = async () =>
    (await panel.request('GET', '/api/activity?sort=-id', { as: panel.admin })).data.items[0]
  const install = async () => {
    const { data } = await panel.request('POST', '/api/programs/mongodb/install', { as: panel.admin })
    const job = async () => (await panel.request('GET', `/api/jobs/${data.job_id}`, { as: panel.admin })).data
    await until(async () => (await job()).finished_at !== null)
    return job()
  }

  test('its installation makes the server ask for a sign-in, and gives the panel an account', async () => {
    installed.clear()
    write('/etc/mongod.conf', packaged)
    rmSync(`${panel.root}/root/.hostreeve-mongodb.yaml`)
    assert.equal((await install()).state, 'succeeded')
    assert.equal(
      await panel.host.files.read('/etc/mongod.conf'),
      `${packaged}\n# added by Hostreeve\nsecurity:\n  authorization: enabled\n`,
    )
    const text = await panel.host.files.read('/root/.hostreeve-mongodb.yaml')
    assert.equal(text, `password: "${server.accounts[0]?.pwd}"\n`)
    assert.deepEqual(server.accounts[0]?.roles, [{ role: 'root', db: 'admin' }])
    assert.equal(statSync(`${panel.root}/root/.hostreeve-mongodb.yaml`).mode & 0o777, 0o600)
  })

  test('its installation leaves a server alone that asks for a sign-in the panel does not know', async () => {
    installed.delete('mongodb-database-tools')
    rmSync(`${panel.root}/root/.hostreeve-mongodb.yaml`)
    const { state, message } = await install()
    assert.equal(state, 'failed')
    assert.match(message, /make the account hostreeve with the role root/)
    assert.equal(server.accounts.length, 0)
  })

  test('shows figures; zero and the reason while the server does not answer', async () => {
    assert.deepEqual((await ask('GET', '/status')).data, {
      installed: true,
      running: true,
      version: '8.0.4',
      uptime: 60,
      connections: 3,
      memory_mb: 52,
      data_size: 3,
      reason: null,
    })
    server.isDown = true
    const { data } = await ask('GET', '/status')
    assert.deepEqual([data.uptime, data.data_size, /ECONNREFUSED/.test(data.reason)], [0, 0, true])
    write('/etc/mongod.conf', packaged)
    assert.match((await ask('GET', '/status')).data.reason, /asks nobody for a password/)
  })

  test('is not there: no figures and no accounts, and 503 for what needs it', async () => {
    installed.clear()
    const { data } = await ask('GET', '/status')
    assert.deepEqual([data.installed, data.running, data.version], [false, false, ''])
    assert.match((await ask('GET', '/users')).data.reason, /not installed/)
    for (const [method, path, body] of [
      ['POST', '/start'],
      ['POST', '/backup'],
      ['POST', '/users', { username: 'a', password: 'long-enough', database: 'a' }],
      ['DELETE', '/users/a'],
    ] as const)
      assert.equal((await ask(method, path, body)).status, 503, path)
  })

  test('starts, stops and restarts, and quotes the service where it fails', async () => {
    assert.deepEqual((await ask('POST', '/stop')).json, { success: true, message: 'MongoDB is stopped' })
    assert.equal(service.isActive, false)
    assert.deepEqual((await ask('POST', '/start')).json, { success: true, message: 'MongoDB is running' })
    assert.deepEqual((await ask('POST', '/restart')).json, {
      success: true,
      message: 'MongoDB was restarted',
    })
    for (const [verb, expected] of [
      ['stop', 'stop_error'],
      ['restart', 'restart_error'],
      ['start', 'start_error'],
    ]) {
      service.isActive = verb !== 'start'
      failing = on(`systemctl --no-ask-password ${verb} -- mongod.service`, {
        code: 1,
        stderr: 'port in use',
      })
      const [status, code, message] = await failureOf('POST', `/${verb}`)
      assert.deepEqual([status, code], [500, expected])
      assert.match(message, /port in use/)
    }
    service.isActive = false
    server.isDown = true
    failing = on('systemctl --no-ask-password start -- mongod.service', {})
    const ended = await failureOf('POST', '/start')
    assert.match(String(ended), /^500,start_error,MongoDB: it ended after its start: its log/)
  })

  test('backs up all databases, and keeps the ten newest', async () => {
    for (let day = 10; day < 20; day += 1) place(`2026-01-${day}_000000`)
    const { status, json } = await ask('POST', '/backup')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(json).toSorted(), ['backup', 'success'])
    const names = await backups()
    assert.deepEqual([names.length, names[0], names.at(-1)], [10, json.backup, '2026-01-11_000000'])
    const [newest, former] = (await ask('GET', '/backups')).data.backups
    assert.deepEqual(former, { name: '2026-01-19_000000', date: '2026-01-19 00:00', size: '6 B' })
    assert.equal(newest.size, '3 B')
  })

  test('a backup that fails leaves nothing: backup_error with the message of mongodump', async () => {
    failing = (argv) =>
      argv[0] === 'mongodump'
        ? { code: 1, stderr: '2026-11-28T13:25:01.509+0000\tFailed: no space left on device\n' }
        : undefined
    assert.match(
      String(await failureOf('POST', '/backup')),
      /^500,backup_error,MongoDB: Failed: no space left/,
    )
    assert.deepEqual(await panel.host.files.list(backupRoot), [])
    failing = () => undefined
    service.isActive = false
    assert.match(String(await failureOf('POST', '/backup')), /^500,backup_error,MongoDB is stopped/)
  })

  test('restores a backup after a safety backup, and drops what was made since', async () => {
    place('2026-01-10_000000')
    const plan = await ask('POST', '/restore?plan=1', { backup: '2026-01-10_000000' })
    assert.match(JSON.stringify(plan.data.steps), /Databases: shop/)
    const { status, json } = await ask('POST', '/restore', { backup: '2026-01-10_000000' })
    assert.deepEqual([status, json.success], [200, true])
    assert.equal(server.databases.get('shop'), 'former')
    const [safety] = await backups()
    assert.match(safety, /-before-restore$/)
    assert.ok(json.message.includes(safety))
    assert.equal((await ask('POST', '/restore', { backup: safety })).status, 200)
    assert.equal(server.databases.get('shop'), 'now')
    assert.equal((await ask('DELETE', `/backups/${safety}`)).status, 200)
    const left = await panel.host.files.list(backupRoot)
    assert.deepEqual(
      left.filter((file) => file.includes(safety)),
      [],
    )
  })

  test('puts the former databases back where a document is refused, or mongorestore fails', async () => {
    place('2026-01-10_000000')
    server.refused = 2
    const restore = () => failureOf('POST', '/restore', { backup: '2026-01-10_000000' })
    assert.match(String(await restore()), /^500,restore_error,MongoDB: .*2 document\(s\) failed to restore/)
    assert.equal(server.databases.get('shop'), 'now')
    assert.deepEqual([(await lastEntry()).status, await backups()], ['restored', ['2026-01-10_000000']])
    let calls = 0
    failing = (argv) =>
      argv[0] === 'mongorestore' && ++calls === 1
        ? { code: 1, stderr: 'Failed: unexpected EOF\n' }
        : undefined
    assert.match(String(await restore()), /^500,restore_error,MongoDB: Failed: unexpected EOF/)
    assert.equal(server.databases.get('shop'), 'now')
  })

  test('refuses names of backups that are paths, and backups that do not exist', async () => {
    for (const backup of ['..', '../../etc', '2026-01-10_000000/../x', ''])
      assert.deepEqual((await failureOf('POST', '/restore', { backup })).slice(0, 2), [400, 'bad_request'])
    assert.equal((await ask('POST', '/restore', {})).error.code, 'bad_request')
    const missing = await failureOf('POST', '/restore', { backup: '2026-01-10_000000' })
    assert.deepEqual(missing.slice(0, 2), [404, 'not_found'])
    mkdirSync(`${panel.root}/var/backups/hostreeve/other`, { recursive: true })
    for (const name of ['..%2Fother', '%2E%2E', '2026-01-10_000000'])
      assert.equal((await failureOf('DELETE', `/backups/${name}`))[0], 404, name)
    place('2026-01-10_000000')
    assert.deepEqual((await ask('DELETE', '/backups/2026-01-10_000000')).json, { success: true })
    assert.deepEqual(await backups(), [])
  })

  test('makes an account with a role, readWrite if none is named, and removes it', async () => {
    const account = { username: 'shop', password: 'long-enough', database: 'shop' }
    assert.deepEqual((await ask('POST', '/users', account)).json, { success: true })
    assert.deepEqual((await ask('GET', '/users')).data, {
      users: [{ user: 'shop', db: 'shop', roles: ['readWrite@shop'] }],
      reason: null,
    })
    assert.deepEqual((await failureOf('POST', '/users', account)).slice(0, 2), [409, 'conflict'])
    assert.deepEqual((await failureOf('DELETE', '/users/shop')).slice(0, 2), [404, 'not_found'])
    assert.deepEqual((await ask('DELETE', '/users/shop?db=shop')).json, { success: true })
    assert.deepEqual(server.accounts, [])
    assert.doesNotMatch(JSON.stringify(await lastEntry()), /long-enough/)
  })

  test('refuses names, passwords and roles that are none, and its own account', async () => {
    const account = { username: 'shop', password: 'long-enough', database: 'shop' }
    for (const wrong of [
      { username: '$where' },
      { username: '' },
      { username: 7 },
      { username: 'hostreeve-import-0123456789ab' },
      { password: 'short' },
      { database: 'a.b' },
      { database: 'x'.repeat(64) },
      { role: { role: 'root', db: 'admin' } },
    ])
      assert.equal((await ask('POST', '/users', { ...account, ...wrong })).error.code, 'bad_request')
    const unknown = await failureOf('POST', '/users', { ...account, role: 'nonsense' })
    assert.match(String(unknown), /^500,create_error,MongoDB: No role named nonsense@shop/)
    const own = { ...account, username: 'hostreeve', database: 'admin' }
    assert.deepEqual((await failureOf('POST', '/users', own)).slice(0, 2), [409, 'conflict'])
    assert.deepEqual((await failureOf('DELETE', '/users/hostreeve')).slice(0, 2), [409, 'conflict'])
    server.isDown = true
    assert.deepEqual((await failureOf('DELETE', '/users/shop?db=shop')).slice(0, 2), [500, 'delete_error'])
    assert.match((await ask('GET', '/users')).data.reason, /ECONNREFUSED/)
  })

  test('is for administrators alone', async () => {
    const person = await panel.person()
    for (const [method, path] of [
      ['GET', '/status'],
      ['GET', '/backups'],
      ['POST', '/backup'],
      ['POST', '/stop'],
    ] as const)
      assert.equal((await panel.request(method, `/api/docdb-server${path}`, { as: person })).status, 403)
  })
})

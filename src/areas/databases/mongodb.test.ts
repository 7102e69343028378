import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import { standInMongodb } from '../../tools/mongodb/testing/stand-in.ts'

const versions = { 'mongodb-org-server': '8.0.4', 'mongodb-database-tools': '100.10.0' }

describe('databases of websites on MongoDB', () => {
  const server = standInMongodb()
  const installed = new Map<string, string>()
  let panel: TestPanel
  let ada: Person
  let bob: Person
  let adaSite: number
  before(async () => {
    panel = await openTestPanel({
      accounts: new Map([
        ['ada', { uid: 1000 }],
        ['bob', { uid: 1001 }],
      ]),
      scripts: [scriptPackages(installed)],
      hasNginx: true,
      mongodb: { connection: server.connection },
    })
    mkdirSync(`${panel.root}/root`)
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    bob = await panel.person({ username: 'bob', permissions: ['websites_management'] })
    adaSite = await addWebsite(panel, { domain: 'ada.test', userId: ada.id })
    await panel.start()
  })
  after(() => panel.close())
  beforeEach(() => {
    for (const [name, version] of Object.entries(versions)) installed.set(name, version)
    Object.assign(server, { isDown: false, refusal: undefined })
  })

  const ask = (method: string, path: string, body?: unknown, as = ada) =>
    panel.request(method, `/api${path}`, { as, ...(body !== undefined && { body }) })
  const failureOf = async (method: string, path: string, body?: unknown, as = ada) => {
    const { status, error } = await ask(method, path, body, as)
    return [status, error?.code]
  }
  let made = 0
  const draft = (more: object = {}) => {
    made += 1
    return {
      ...{ engine: 'mongodb', name: `shop${made}`, username: `app${made}`, password: "it's a secret" },
      ...more,
    }
  }
  const create = (more: object = {}) => ask('POST', `/websites/${adaSite}/databases`, draft(more))
  const shown = async (id: number) =>
    (await ask('GET', '/databases?engine=mongodb&per_page=500')).data.items.find(
      (item: { readonly id: number }) => item.id === id,
    )
  const accountsOf = (database: string) => server.accounts.filter(({ db }) => db === database)

  test('are created as their first user, listed as empty until they have a collection, and deleted', async () => {
    const { status, data, text } = await create({ name: 'plain', username: 'plain' })
    assert.equal(status, 201, text)
    const empty = { state: 'present', size_bytes: 0, row_estimate: 0, table_count: 0, charset: null }
    assert.deepEqual(data, { ...data, ...empty, name: 'ada_plain', engine: 'mongodb' })
    assert.deepEqual(data.users, [{ username: 'ada_plain', host: 'localhost' }])
    const roles = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: 'ada_plain' }))
    assert.deepEqual(accountsOf('ada_plain'), [
      { user: 'ada_plain', db: 'ada_plain', pwd: "it's a secret", roles },
    ])
    assert.deepEqual(await shown(data.id), data)
    server.databases.set('ada_plain', '123')
    const used = { ...data, size_bytes: 3, row_estimate: 3, table_count: 1 }
    assert.deepEqual(await shown(data.id), used)
    const path = `/databases/docdb/${data.id}`
    assert.deepEqual(await failureOf('DELETE', path, undefined, bob), [404, 'not_found'])
    const copy = { name: 'x', username: 'x', password: 'x', website_id: adaSite }
    assert.deepEqual(await failureOf('POST', `/databases/${data.id}/duplicate`, copy), [400, 'bad_request'])
    assert.match((await ask('DELETE', `${path}?plan=1`)).text, /Remove the database ada_plain from MongoDB/)
    assert.equal((await ask('DELETE', path)).status, 200)
    assert.deepEqual([server.databases.has('ada_plain'), accountsOf('ada_plain')], [false, []])
    assert.deepEqual(await failureOf('DELETE', path), [404, 'not_found'])
  })

  test('refuse names, hosts and encodings that the server does not have', async () => {
    for (const [field, value] of [
      ['name', 'x'.repeat(60)],
      ['username', 'x'.repeat(77)],
      ['charset', 'utf8'],
      ['collation', 'en'],
      ...['a$b', 'a.b', 'a/b', 'a\\b', 'a"b', 'a b', 'a\u0000b', 'Shop', ''].map(
        (name) => ['name', name] as const,
      ),
      ['password', ''],
      ['password', 'a\u0000b'],
      ['password', 'a\u202eb'],
    ] as const) {
      const { status, error } = await create({ [field]: value })
      assert.deepEqual([status, error.code], [400, 'bad_request'], `${field} ${value}`)
      assert.match(error.message, new RegExp(`^${field}: `))
    }
    const reserved = await create({ name: 'null', username: 'admin' })
    assert.equal(reserved.data.name, 'ada_null', 'words of the server are names like others')
    const { id } = (await create()).data
    const far = { username: 'far', password: 'x', host: '%' }
    const { error } = await ask('POST', `/databases/docdb/${id}/users`, far)
    assert.match(error.message, /^host: % must be localhost/)
  })

  test('have users who are added, given another password and removed', async () => {
    const { id, name } = (await create()).data
    const users = `/databases/docdb/${id}/users`
    const { status, data } = await ask('POST', users, { username: 'reports', password: 'secret' })
    assert.deepEqual([status, data], [201, { username: 'ada_reports', host: 'localhost' }])
    const again = { username: 'reports', password: 'x' }
    assert.deepEqual(await failureOf('POST', users, again), [409, 'conflict'])
    server.accounts.push({ user: 'ada_byhand', db: 'other', pwd: 'x', roles: [] })
    assert.match(
      (await ask('POST', users, { username: 'byhand', password: 'x' })).error.message,
      /^username: the server has an account ada_byhand/,
    )
    const reset = await ask('POST', `${users}/ada_reports/reset-password`)
    assert.match(reset.data.password, /^[\w-]{24}$/)
    const own = () => accountsOf(name).find(({ user }) => user === 'ada_reports')
    assert.equal(own()?.pwd, reset.data.password)
    const given = await ask('POST', `${users}/ada_reports/reset-password`, { password: 'of my own' })
    assert.deepEqual([given.data.password, own()?.pwd], ['of my own', 'of my own'])
    const wrong = await ask('POST', `${users}/ada_reports/reset-password`, { password: 5 })
    assert.match(wrong.error.message, /^password: must be/)
    assert.deepEqual([wrong.status, own()?.pwd], [400, 'of my own'])
    for (const [method, path] of [
      ['POST', `${users}/hostreeve/reset-password`],
      ['DELETE', `${users}/hostreeve`],
    ] as const)
      assert.deepEqual(await failureOf(method, path), [404, 'not_found'])
    assert.equal((await ask('DELETE', `${users}/ada_reports`)).status, 200)
    assert.equal(own(), undefined)
    for (const log of panel.log) assert.doesNotMatch(JSON.stringify(log), new RegExp(reset.data.password))
  })

  test('have names that can be checked before', async () => {
    const check = (name: string, as = ada) =>
      ask('GET', `/databases/docdb/check-name?name=${name}&website_id=${adaSite}`, undefined, as)
    await create({ name: 'taken' })
    const taken = (await check('taken')).data
    assert.deepEqual([taken.name, taken.available], ['ada_taken', false])
    assert.match(taken.reason, /there is a database ada_taken/)
    server.databases.set('ada_byhand', '1')
    assert.match((await check('byhand')).data.reason, /which the panel did not create/)
    assert.deepEqual((await check('free')).data, { name: 'ada_free', available: true, reason: null })
    assert.equal((await check('x'.repeat(60))).data.available, false)
    assert.equal((await check('free', bob)).error.code, 'not_found')
    assert.equal((await check('A%20B')).error.code, 'bad_request')
  })

  test('can be ones that others made on the server', async () => {
    server.databases.clear()
    server.databases.set('legacy', '1234').set('Odd', '1').set('admin', '1')
    const list = async () =>
      (await ask('GET', '/databases/docdb/admin/unassociated', undefined, panel.admin)).data.databases
    const foreign = { id: null, owner: null }
    assert.deepEqual(await list(), [
      { name: 'Odd', ...foreign, size_bytes: 1, can_be_associated: false },
      { name: 'legacy', ...foreign, size_bytes: 4, can_be_associated: true },
    ])
    const path = '/databases/docdb/admin/associate'
    const body = (name: string) => ({ name, website_id: adaSite })
    assert.deepEqual(await failureOf('POST', path, body('legacy')), [403, 'forbidden'])
    for (const [name, status, code] of [
      ['none', 404, 'not_found'],
      ['Odd', 400, 'bad_request'],
      ['x'.repeat(64), 400, 'bad_request'],
    ] as const)
      assert.deepEqual(await failureOf('POST', path, body(name), panel.admin), [status, code], name)
    const { status, data, text } = await ask('POST', path, body('legacy'), panel.admin)
    assert.equal(status, 200, text)
    assert.deepEqual([data.name, data.row_estimate, data.users], ['legacy', 4, []])
    assert.deepEqual(await failureOf('POST', path, body('legacy'), panel.admin), [409, 'conflict'])
    const file = { file: '/home/ada/db/legacy.archive.gz' }
    assert.deepEqual(await failureOf('POST', `/databases/docdb/${data.id}/import`, file), [409, 'conflict'])
    const user = { username: 'legacy', password: 'x' }
    assert.equal((await ask('POST', `/databases/docdb/${data.id}/users`, user)).status, 201)
    assert.deepEqual(accountsOf('legacy').length, 1)
    assert.ok(!(await list()).some(({ name }: { readonly name: string }) => name === 'legacy'))
  })

  test('report a server that does not answer or refuses, and still list what the panel knows', async () => {
    const { id, users } = (await create()).data
    server.databases.set('other', '1')
    const own = `/databases/docdb/${id}`
    const site = await addWebsite(panel, { domain: `gone${made}.test`, userId: ada.id })
    await ask('POST', `/websites/${site}/databases`, draft())
    for (const fault of [{ isDown: true }, { refusal: 'not authorized' }]) {
      Object.assign(server, fault)
      assert.equal((await shown(id)).state, 'unknown')
      for (const [method, path, body, status, code] of [
        ['DELETE', own, undefined, 500, 'delete_failed'],
        ['DELETE', `/databases/${id}`, undefined, 500, 'delete_failed'],
        ['DELETE', `/websites/${site}?databases=remove`, undefined, 500, 'delete_failed'],
        ['DELETE', `${own}/users/${users[0].username}`, undefined, 500, 'delete_failed'],
        ['POST', `${own}/users`, { username: 'late', password: 'x' }, 500, 'create_failed'],
        ['POST', `${own}/users/${users[0].username}/reset-password`, undefined, 500, 'reset_failed'],
        ['POST', `/websites/${adaSite}/databases`, draft(), 500, 'create_failed'],
        [
          'POST',
          '/databases/docdb/admin/associate',
          { name: 'other', website_id: adaSite },
          500,
          'associate_failed',
        ],
        ['GET', '/databases/docdb/admin/unassociated', undefined, 503, 'program_unreachable'],
        [
          'GET',
          `/databases/docdb/check-name?name=x&website_id=${adaSite}`,
          undefined,
          503,
          'program_unreachable',
        ],
      ] as const)
        assert.deepEqual(
          await failureOf(method, path, body, panel.admin),
          [status, code],
          `${method} ${path}`,
        )
      Object.assign(server, { isDown: false, refusal: undefined })
    }
    assert.equal((await ask('DELETE', own)).status, 200)
  })

  test('need the server, and the permission for websites', async () => {
    const { id } = (await create()).data
    const guest = await panel.person({ username: 'guest', permissions: [] })
    assert.deepEqual(await failureOf('DELETE', `/databases/docdb/${id}`, undefined, guest), [
      403,
      'forbidden',
    ])
    installed.clear()
    for (const [method, path, body] of [
      ['DELETE', `/databases/docdb/${id}`, undefined],
      ['POST', `/databases/docdb/${id}/users`, { username: 'x', password: 'x' }],
      ['POST', `/databases/docdb/${id}/export`, {}],
      ['GET', `/databases/docdb/check-name?name=x&website_id=${adaSite}`, undefined],
    ] as const)
      assert.deepEqual(await failureOf(method, path, body), [503, 'unavailable'], path)
  })
})

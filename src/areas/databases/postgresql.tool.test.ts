import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { identifier, sql } from '../../host/apply/steps.ts'
import { openFiles } from '../../host/files.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import { openServer } from '../../tools/postgresql/server.ts'
import { startPostgresql, type ScratchPostgresql } from '../../tools/postgresql/testing/scratch-postgresql.ts'

describe('databases of websites on PostgreSQL', () => {
  let scratch: ScratchPostgresql
  let panel: TestPanel
  let ada: Person
  let bob: Person
  let adaSite: number
  const installed = new Map<string, string>()
  let isReached = true
  before(async () => {
    scratch = await startPostgresql()
    panel = await openTestPanel({
      accounts: new Map([
        ['ada', { uid: 1000 }],
        ['bob', { uid: 1001 }],
      ]),
      scripts: [scriptPackages(installed)],
      hasNginx: true,
      postgresql: {
        place: {
          ...scratch.place,
          get socketFolder() {
            return isReached ? scratch.place.socketFolder : '/run/hostreeve-test-missing'
          },
        },
        files: openFiles('/'),
      },
    })
    mkdirSync(`${panel.root}/root`)
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    bob = await panel.person({ username: 'bob', permissions: ['websites_management'] })
    adaSite = await addWebsite(panel, { domain: 'ada.test', userId: ada.id })
    await panel.start()
  })
  after(async () => {
    await panel.close()
    await scratch.stop()
  })
  beforeEach(() => installed.set('postgresql', '15+248'))

  const ask = (method: string, path: string, body?: unknown, as = ada) =>
    panel.request(method, `/api${path}`, { as, ...(body !== undefined && { body }) })
  const root = () => openServer(scratch.place)
  const roleOf = async (name: string) =>
    (await root().run(sql`select rolcanlogin::int login from pg_roles where rolname = ${name}`))[0]
  let made = 0
  const create = async (more: object = {}) => {
    made += 1
    const asked = {
      engine: 'postgresql',
      name: `shop${made}`,
      username: `app${made}`,
      password: "it's \\ secret",
    }
    return ask('POST', `/websites/${adaSite}/databases`, { ...asked, ...more })
  }

  test('are created with the prefix of the owner, listed, and deleted with their users', async () => {
    const { status, data, text } = await create({ name: 'plain', username: 'plain' })
    assert.equal(status, 201, text)
    assert.deepEqual(
      [data.name, data.engine, data.state, data.charset, data.collation, data.users],
      [
        'ada_plain',
        'postgresql',
        'present',
        'UTF8',
        'C.utf8',
        [{ username: 'ada_plain', host: 'localhost' }],
      ],
    )
    const { items } = (await ask('GET', `/websites/${adaSite}/databases`)).data
    const found = items.find(({ id }: { id: number }) => id === data.id)
    assert.deepEqual([found.state, found.size_bytes > 1000, found.table_count], ['present', true, null])
    assert.deepEqual(await roleOf('ada_plain'), { login: 1 })
    assert.equal(
      (await ask('DELETE', `/databases/sqlalt/${data.id}`, undefined, bob)).error.code,
      'not_found',
    )
    assert.equal(
      (
        await ask('POST', `/databases/${data.id}/duplicate`, {
          name: 'x',
          username: 'x',
          password: 'x',
          website_id: adaSite,
        })
      ).error.code,
      'bad_request',
    )
    const plan = (await ask('DELETE', `/databases/sqlalt/${data.id}?plan=1`)).text
    assert.match(plan, /Remove the database ada_plain from PostgreSQL/)
    assert.equal((await ask('DELETE', `/databases/sqlalt/${data.id}`)).status, 200)
    assert.equal(await roleOf('ada_plain'), undefined)
    assert.deepEqual(await root().run(sql`select datname from pg_database where datname = 'ada_plain'`), [])
    assert.equal((await ask('DELETE', `/databases/sqlalt/${data.id}`)).error.code, 'not_found')
  })

  test('refuse names, hosts and encodings that the server does not have', async () => {
    for (const [field, value] of [
      ['name', 'x'.repeat(60)],
      ['username', 'x'.repeat(62)],
      ['charset', 'klingon'],
      ['collation', 'klingon'],
      ...['a"b', "a'b", 'a%b', 'a;b', 'a b', 'a\u0000b', 'Shop', ''].map((name) => ['name', name] as const),
      ['username', 'a"b'],
      ['username', 'a:client'],
      ['password', ''],
    ] as const) {
      const { status, error } = await create({ [field]: value })
      assert.deepEqual([status, error.code], [400, 'bad_request'], `${field} ${value}`)
      assert.match(error.message, new RegExp(`^${field}: `))
    }
    const reserved = await create({ name: 'select', username: 'user' })
    assert.equal(reserved.data.name, 'ada_select', 'words of SQL are names like others')
    const { data } = await create({ charset: 'latin1' })
    assert.deepEqual([data.charset, data.collation], ['LATIN1', 'C'])
    const host = await ask('POST', `/databases/sqlalt/${data.id}/users`, {
      username: 'far',
      password: 'x',
      host: '%',
    })
    assert.match(host.error.message, /^host: % must be localhost/)
  })

  test('have users who are added, given another password and removed', async () => {
    const { id, name } = (await create()).data
    const users = `/databases/sqlalt/${id}/users`
    const { status, data } = await ask('POST', users, { username: 'reports', password: 'secret' })
    assert.deepEqual([status, data], [201, { username: 'ada_reports', host: 'localhost' }])
    assert.equal((await ask('POST', users, { username: 'reports', password: 'x' })).error.code, 'conflict')
    await root().run(sql`create role ada_byhand`)
    assert.match(
      (await ask('POST', users, { username: 'byhand', password: 'x' })).error.message,
      /^username: the server has an account ada_byhand/,
    )
    const before = await verifier('ada_reports')
    const reset = await ask('POST', `${users}/ada_reports/reset-password`)
    assert.match(reset.data.password, /^[\w-]{24}$/)
    assert.notEqual(await verifier('ada_reports'), before)
    assert.equal((await ask('POST', `${users}/postgres/reset-password`)).error.code, 'not_found')
    await root().run(
      sql`set role ada_reports; reset role; create table public.mine (a int); alter table public.mine owner to ada_reports`,
      name,
    )
    assert.equal((await ask('DELETE', `${users}/ada_reports`)).status, 200)
    assert.equal(await roleOf('ada_reports'), undefined)
    assert.equal((await ask('DELETE', `${users}/postgres`)).error.code, 'not_found')
    for (const log of panel.log) assert.doesNotMatch(JSON.stringify(log), new RegExp(reset.data.password))
  })
  const verifier = async (name: string) =>
    (await root().run(sql`select rolpassword from pg_authid where rolname = ${name}`))[0]?.['rolpassword']

  test('have names that can be checked before', async () => {
    const { asked } = { asked: (await create({ name: 'taken' })).data }
    const check = (query: string, as = ada) =>
      ask('GET', `/databases/sqlalt/check-name?${query}`, undefined, as)
    assert.equal(asked.name, 'ada_taken')
    const taken = (await check(`name=taken&website_id=${adaSite}`)).data
    assert.deepEqual([taken.name, taken.available], ['ada_taken', false])
    assert.match(taken.reason, /there is a database ada_taken/)
    assert.deepEqual((await check(`name=free&website_id=${adaSite}`)).data, {
      name: 'ada_free',
      available: true,
      reason: null,
    })
    assert.equal((await check(`name=${'x'.repeat(60)}&website_id=${adaSite}`)).data.available, false)
    assert.equal((await check(`name=free&website_id=${adaSite}`, bob)).error.code, 'not_found')
    assert.equal((await check(`name=A%20B&website_id=${adaSite}`)).error.code, 'bad_request')
    assert.equal((await check('name=free')).error.code, 'bad_request')
  })

  test('can be ones that others made on the server', async () => {
    for (const name of ['ada_legacy', 'Odd name'])
      await root().run(sql`create database ${identifier(name)} template template0`)
    await root()
      .run(sql`create table old (a int)`, 'ada_legacy')
      .catch(() => {})
    await root().run(sql`create table public.old (a int)`, 'ada_legacy')
    const list = async () =>
      (await ask('GET', '/databases/sqlalt/admin/unassociated', undefined, panel.admin)).data.databases
    const known = (await list()).map(
      ({ name, can_be_associated }: { name: string; can_be_associated: boolean }) => [
        name,
        can_be_associated,
      ],
    )
    assert.deepEqual(
      known,
      [
        ['Odd name', false],
        ['ada_legacy', true],
      ].toSorted(),
    )
    const associate = (body: object, as = panel.admin) =>
      ask('POST', '/databases/sqlalt/admin/associate', body, as)
    assert.equal((await associate({ name: 'ada_legacy', website_id: adaSite }, ada)).error.code, 'forbidden')
    for (const name of ['ada_none', 'postgres', 'template0', 'template1'])
      assert.equal((await associate({ name, website_id: adaSite })).error.code, 'not_found', name)
    assert.equal((await associate({ name: 'Odd name', website_id: adaSite })).error.code, 'bad_request')
    const { status, data, text } = await associate({ name: 'ada_legacy', website_id: adaSite })
    assert.equal(status, 200, text)
    assert.deepEqual([data.name, data.website_id, data.users], ['ada_legacy', adaSite, []])
    assert.equal((await associate({ name: 'ada_legacy', website_id: adaSite })).error.code, 'conflict')
    assert.deepEqual(
      await root().run(sql`select tableowner from pg_tables where tablename = 'old'`, 'ada_legacy'),
      [{ tableowner: 'ada_legacy:owner' }],
    )
    assert.equal(
      (await ask('POST', `/databases/sqlalt/${data.id}/users`, { username: 'legacy', password: 'x' })).status,
      201,
    )
    assert.ok(!(await list()).some(({ name }: { name: string }) => name === 'ada_legacy'))
  })

  test('report a server that does not answer, and still list what the panel knows', async () => {
    const { id } = (await create()).data
    await root().run(sql`create database ada_other template template0`)
    const associate = async () =>
      ask(
        'POST',
        '/databases/sqlalt/admin/associate',
        { name: 'ada_other', website_id: adaSite },
        panel.admin,
      )
    isReached = false
    const { status, error } = await associate()
    assert.deepEqual([status, error.code], [500, 'associate_failed'])
    assert.match(error.message, /PostgreSQL cannot be reached/)
    const { items } = (await ask('GET', '/databases?engine=postgresql&per_page=500')).data
    assert.equal(items.find((item: { id: number }) => item.id === id).state, 'unknown')
    assert.equal((await ask('DELETE', `/databases/sqlalt/${id}`)).error.code, 'delete_failed')
    isReached = true
    assert.deepEqual((await ask('GET', '/databases?engine=mariadb')).data.items, [])
    assert.equal((await associate()).status, 200)
  })

  test('need the server, and the permission for websites', async () => {
    const { id } = (await create()).data
    const guest = await panel.person({ username: 'guest', permissions: [] })
    assert.equal((await ask('DELETE', `/databases/sqlalt/${id}`, undefined, guest)).error.code, 'forbidden')
    installed.clear()
    for (const [method, path, body] of [
      ['DELETE', `/databases/sqlalt/${id}`, undefined],
      ['POST', `/databases/sqlalt/${id}/users`, { username: 'x', password: 'x' }],
      ['GET', `/databases/sqlalt/check-name?name=x&website_id=${adaSite}`, undefined],
    ] as const)
      assert.equal((await ask(method, path, body)).error.code, 'unavailable', path)
  })
})

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { identifier, sql } from '../../host/apply/steps.ts'
import { connect } from '../../host/connect/index.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import { type ScratchMariadb, startMariadb } from '../../host/testing/scratch-mariadb.ts'

describe('databases of websites', () => {
  let server: ScratchMariadb
  let panel: TestPanel
  let ada: Person
  let bob: Person
  let adaSite: number
  let bobSite: number
  const installed = new Map<string, string>()
  let isReached = true

  before(async () => {
    server = await startMariadb()
    const root = connect.sql(server.target)
    const unreachable = connect.sql({
      ...server.target,
      at: { socketPath: '/run/hostreeve-test-missing.sock' },
    })
    panel = await openTestPanel({
      accounts: new Map([
        ['ada', { uid: 1000 }],
        ['bob', { uid: 1001 }],
      ]),
      scripts: [scriptPackages(installed)],
      hasNginx: true,
      programs: ['mariadb', 'mariadb-dump'],
      mariadb: {
        connection: { run: (statement) => (isReached ? root : unreachable).run(statement) },
        socketPath: 'socketPath' in server.target.at ? server.target.at.socketPath : '',
      },
    })
    mkdirSync(`${panel.root}/root`)
    const permissions = ['websites_management'] as const
    ada = await panel.person({ username: 'ada', permissions: [...permissions] })
    bob = await panel.person({ username: 'bob', permissions: [...permissions] })
    adaSite = await addWebsite(panel, { domain: 'ada.test', userId: ada.id })
    bobSite = await addWebsite(panel, { domain: 'bob.test', userId: bob.id, username: 'bob' })
    await panel.start()
  })
  after(async () => {
    await panel.close()
    await server.stop()
  })
  beforeEach(() => {
    isReached = true
    installed.set('mariadb-server', '1:10.11.14-0+deb12u2')
  })

  const ask = (method: string, path: string, body?: unknown, as = ada) =>
    panel.request(method, `/api${path}`, { as, ...(body !== undefined && { body }) })
  const root = (statement: Parameters<ReturnType<typeof connect.sql>['run']>[0]) =>
    connect.sql(server.target).run(statement)
  const signedIn = (user: string, password: string) =>
    connect.sql({ ...server.target, user, password: () => password })
  let made = 0
  const draft = (more: object = {}) => {
    made += 1
    return { name: `shop${made}`, username: `app${made}`, password: `pass ' " \\ word${made}`, ...more }
  }
  const create = async (more: object = {}) => {
    const asked = draft(more)
    const { status, data, text } = await ask('POST', `/websites/${adaSite}/databases`, asked)
    assert.equal(status, 201, text)
    return { asked, made: data }
  }
  const schemas = async () =>
    (await root(sql`select schema_name as name from information_schema.schemata`)).map(({ name }) => name)
  const accounts = async (username: string) =>
    (await root(sql`select Host as host from mysql.user where User = ${username} order by 1`)).map(
      ({ host }) => host,
    )

  test('creates a database with the prefix of the owner, and a user who has rights on it alone', async () => {
    const { asked, made: shown } = await create({ charset: 'latin1' })
    assert.deepEqual(shown, {
      ...{
        id: shown.id,
        name: `ada_${asked.name}`,
        engine: 'mariadb',
        website_id: adaSite,
        domain: 'ada.test',
      },
      ...{ state: 'present', charset: 'latin1', collation: 'latin1_swedish_ci' },
      ...{ size_bytes: 0, row_estimate: 0, table_count: 0, created_at: shown.created_at, revision: 1 },
      users: [{ username: `ada_${asked.username}`, host: 'localhost' }],
    })
    const own = signedIn(`ada_${asked.username}`, asked.password)
    await own.run(sql`create table ${identifier(shown.name)}.orders (id int) engine = aria`)
    await own.run(sql`insert into ${identifier(shown.name)}.orders values (1), (2)`)
    await assert.rejects(own.run(sql`create database other`), /denied/)
    const { items } = (await ask('GET', `/websites/${adaSite}/databases`)).data
    const found = items.find(({ id }: { id: number }) => id === shown.id)
    assert.deepEqual([found.row_estimate, found.table_count, found.size_bytes > 0], [2, 1, true])
  })

  test('has no way from one owner to another by a name that the prefix alone would not tell apart', async () => {
    const { made: shown, asked } = await create({ name: 'a_b', username: 'wild' })
    assert.equal(shown.name, 'ada_a_b')
    await root(sql`create database adaxaxb`)
    await root(sql`create table adaxaxb.t (id int)`)
    const own = signedIn(`ada_${asked.username}`, asked.password)
    await assert.rejects(own.run(sql`select * from adaxaxb.t`), /denied/)
  })

  test('refuses names, hosts and encodings that the server would not take, or would take for more', async () => {
    for (const [field, values] of Object.entries({
      name: [
        '',
        'a`b',
        "a'b",
        'a%b',
        'a.b',
        'a\u0000b',
        'Shop',
        'a b',
        '../x',
        'x'.repeat(64),
        'x'.repeat(61),
      ],
      username: ['', 'a`b', "a'b", 'a%b', 'a@b', 'a\u0000b', 'x'.repeat(80), 'x'.repeat(77)],
      password: ['', 'x'.repeat(257)],
      charset: ["utf8mb4'", 'klingon'],
      collation: ['utf8mb4_klingon', '`'],
    }))
      for (const value of values) {
        const { status, error } = await ask(
          'POST',
          `/websites/${adaSite}/databases`,
          draft({ [field]: value }),
        )
        assert.deepEqual([status, error.code], [400, 'bad_request'], `${field} ${value}`)
        assert.match(error.message, new RegExp(`^${field}: `))
      }
    const mixed = draft({ charset: 'latin1', collation: 'utf8mb4_bin' })
    assert.equal((await ask('POST', `/websites/${adaSite}/databases`, mixed)).error.code, 'bad_request')
    const { made: reserved } = await create({ name: 'select', username: 'table', collation: 'utf8mb4_bin' })
    assert.deepEqual(
      [reserved.name, reserved.charset, reserved.collation],
      ['ada_select', 'utf8mb4', 'utf8mb4_bin'],
    )
  })

  test('refuses a name that another database or the server has, and leaves it', async () => {
    const { asked } = await create()
    await root(sql`create database ada_byhand`)
    await root(sql`create user ada_byhand@${'%'}`)
    for (const [more, message] of [
      [{ name: asked.name }, /^name: there is a database ada_/],
      [{ username: asked.username }, /^username: ada_.* belongs to another database/],
      [{ name: 'byhand' }, /^name: the server has a database ada_byhand/],
      [{ username: 'byhand' }, /^username: the server has an account ada_byhand/],
    ] as const) {
      const { status, error } = await ask('POST', `/websites/${adaSite}/databases`, draft(more))
      assert.deepEqual([status, error.code], [409, 'conflict'])
      assert.match(error.message, message)
    }
    assert.deepEqual(await accounts('ada_byhand'), ['%'])
  })

  test('files a database under a website by its id, and lists those of the caller', async () => {
    const asked = draft({ website_id: bobSite })
    assert.equal((await ask('POST', '/databases', asked)).status, 404)
    const { status, data } = await ask('POST', '/databases', asked, bob)
    assert.deepEqual([status, data.name, data.website_id], [201, `bob_${asked.name}`, bobSite])
    const names = async (as: Person) =>
      (await ask('GET', '/databases?per_page=500', undefined, as)).data.items.map(
        ({ name }: { name: string }) => name,
      )
    assert.ok(!(await names(ada)).includes(data.name))
    assert.deepEqual(await names(bob), [data.name])
    assert.ok((await names(panel.admin)).includes(data.name))
    for (const [method, path] of [
      ['DELETE', ''],
      ['GET', '/users'],
      ['DELETE', `/users/bob_${asked.username}`],
    ])
      assert.equal((await ask(method ?? '', `/databases/${data.id}${path}`)).status, 404)
    assert.equal((await ask('POST', `/databases/${data.id}/users`, draft())).error.code, 'not_found')
    assert.equal((await ask('DELETE', '/databases/first')).error.code, 'bad_request')
  })

  test('says that other engines are not there yet, and that the server is not installed', async () => {
    const { status, error } = await ask(
      'POST',
      `/websites/${adaSite}/databases`,
      draft({ engine: 'postgresql' }),
    )
    assert.deepEqual([status, error.code], [503, 'unavailable'])
    installed.clear()
    for (const [method, path] of [
      ['POST', `/websites/${adaSite}/databases`],
      ['GET', '/databases/mysql-host'],
    ] as const)
      assert.equal(
        (await ask(method, path, method === 'POST' ? draft() : undefined)).error.code,
        'unavailable',
      )
  })

  test('adds users of further hosts, and removes a user from all of them', async () => {
    const { made: shown, asked } = await create()
    const users = `/databases/${shown.id}/users`
    for (const host of ['%', '192.0.2.0/255.255.255.0']) {
      const { status, data } = await ask('POST', users, { username: 'reports', password: 'secret', host })
      assert.deepEqual([status, data], [201, { username: 'ada_reports', host }])
    }
    for (const host of ["'", '%.evil.test', 'x'.repeat(300)]) {
      const { status, error } = await ask('POST', users, { username: 'reports', password: 'secret', host })
      assert.deepEqual([status, error.code], [400, 'bad_request'], host)
    }
    assert.equal(
      (await ask('POST', users, { username: 'reports', password: 'x', host: '%' })).error.code,
      'conflict',
    )
    const other = await create()
    const taken = await ask('POST', `/databases/${other.made.id}/users`, {
      username: 'reports',
      password: 'x',
    })
    assert.deepEqual([taken.status, taken.error.code], [409, 'conflict'])
    const { data } = await ask('GET', users)
    assert.match(data.message, /\/api\/websites\/\{id\}\/databases/)
    assert.deepEqual(data.users, [
      { username: `ada_${asked.username}`, host: 'localhost' },
      { username: 'ada_reports', host: '%' },
      { username: 'ada_reports', host: '192.0.2.0/255.255.255.0' },
    ])
    assert.equal((await ask('DELETE', `${users}/ada_reports`)).status, 200)
    assert.deepEqual(await accounts('ada_reports'), [])
    assert.equal((await ask('DELETE', `${users}/ada_reports`)).error.code, 'not_found')
    assert.equal((await ask('DELETE', `${users}/root`)).error.code, 'not_found')
  })

  test('resets a password to the given or a random one, which is shown once', async () => {
    const { made: shown, asked } = await create()
    const username = `ada_${asked.username}`
    const path = `/databases/${shown.id}/users/${username}/reset-password`
    const { status, data } = await ask('POST', path)
    assert.deepEqual([status, data.username], [200, username])
    assert.match(data.password, /^[\w-]{24}$/)
    await signedIn(username, data.password).run(sql`select 1`)
    await assert.rejects(signedIn(username, asked.password).run(sql`select 1`), /Access denied/)
    const everyByte = Array.from({ length: 255 }, (_, code) => String.fromCharCode(code + 1)).join('')
    assert.equal((await ask('POST', path, { password: everyByte })).status, 200)
    await signedIn(username, everyByte).run(sql`create table ${identifier(shown.name)}.t (id int)`)
    assert.equal(
      (await ask('POST', `/databases/${shown.id}/users/root/reset-password`)).error.code,
      'not_found',
    )
    await assertNowhere(data.password)
    await assertNowhere('pass ')
  })

  test('duplicates a database with its rows and views, for a user of its own', async () => {
    const { made: source, asked } = await create()
    const own = signedIn(`ada_${asked.username}`, asked.password)
    await own.run(sql`create table ${identifier(source.name)}.orders (id int primary key, note text)`)
    await own.run(sql`insert into ${identifier(source.name)}.orders values (1, ${"O'Hara"})`)
    await own.run(
      sql`create view ${identifier(source.name)}.seen as select * from ${identifier(source.name)}.orders`,
    )
    const copy = draft({ website_id: adaSite })
    const { status, data, text } = await ask('POST', `/databases/${source.id}/duplicate`, copy)
    assert.equal(status, 201, text)
    assert.deepEqual(
      [data.name, data.website_id, data.users],
      [`ada_${copy.name}`, adaSite, [{ username: `ada_${copy.username}`, host: 'localhost' }]],
    )
    const copier = signedIn(`ada_${copy.username}`, copy.password)
    assert.deepEqual(await copier.run(sql`select * from ${identifier(data.name)}.seen`), [
      { id: 1, note: "O'Hara" },
    ])
    await assert.rejects(copier.run(sql`select * from ${identifier(source.name)}.orders`), /denied/)
    await assertNowhere(copy.password)
    for (const [more, expected] of [
      [{ website_id: bobSite }, 404],
      [{ website_id: adaSite, name: copy.name }, 409],
      [{ website_id: adaSite, name: 'x'.repeat(61) }, 400],
    ] as const)
      assert.equal((await ask('POST', `/databases/${source.id}/duplicate`, draft(more))).status, expected)
  })

  test('drops a copy that fails, and its user, and quotes the program', async () => {
    const { made: source, asked } = await create()
    const own = signedIn(`ada_${asked.username}`, asked.password)
    await own.run(sql`create table ${identifier(source.name)}.t (id int)`)
    await own.run(
      sql`create view ${identifier(source.name)}.broken as select * from ${identifier(source.name)}.t`,
    )
    await own.run(sql`drop table ${identifier(source.name)}.t`)
    const copy = draft({ website_id: adaSite })
    const { status, error } = await ask('POST', `/databases/${source.id}/duplicate`, copy)
    assert.deepEqual([status, error.code], [500, 'duplicate_failed'])
    assert.match(error.message, /broken/)
    assert.ok(!(await schemas()).includes(`ada_${copy.name}`))
    assert.deepEqual(await accounts(`ada_${copy.username}`), [])
  })

  test('shows a database that was dropped behind the panel, and deletes it', async () => {
    const { made: shown } = await create()
    await root(sql`drop database ${identifier(shown.name)}`)
    const stateOf = async () =>
      (await ask('GET', `/databases?per_page=500`)).data.items.find(
        ({ id }: { id: number }) => id === shown.id,
      )
    assert.deepEqual([(await stateOf()).state, (await stateOf()).size_bytes], ['missing', null])
    isReached = false
    assert.equal((await stateOf()).state, 'unknown')
    isReached = true
    const copied = await ask('POST', `/databases/${shown.id}/duplicate`, draft({ website_id: adaSite }))
    assert.equal(copied.error.code, 'not_found')
    assert.equal((await ask('DELETE', `/databases/${shown.id}`)).status, 200)
    assert.equal(await stateOf(), undefined)
  })

  test('shows what a deletion removes, and removes it with its users', async () => {
    const { made: shown, asked } = await create()
    const { data } = await ask('DELETE', `/databases/${shown.id}?plan=1`)
    assert.deepEqual(
      data.steps.map(({ title }: { title: string }) => title),
      [
        `Remove the account ada_${asked.username} at localhost from MariaDB`,
        `Remove the database ${shown.name} from MariaDB, with all its tables`,
      ],
    )
    assert.ok((await schemas()).includes(shown.name))
    assert.equal((await ask('DELETE', `/databases/${shown.id}`)).status, 200)
    assert.ok(!(await schemas()).includes(shown.name))
    assert.deepEqual(await accounts(`ada_${asked.username}`), [])
    assert.equal((await ask('DELETE', `/databases/${shown.id}`)).status, 404)
  })

  test('reports a server that does not answer, and changes nothing', async () => {
    const { made: shown, asked } = await create()
    isReached = false
    const user = `/databases/${shown.id}/users/ada_${asked.username}`
    for (const [method, path, body, status, code] of [
      ['POST', `/websites/${adaSite}/databases`, draft(), 500, 'create_failed'],
      ['POST', `/databases/${shown.id}/users`, { username: 'x', password: 'x' }, 500, 'create_failed'],
      ['POST', `${user}/reset-password`, undefined, 500, 'reset_failed'],
      ['DELETE', user, undefined, 500, 'delete_failed'],
      ['DELETE', `/databases/${shown.id}`, undefined, 500, 'delete_failed'],
      ['POST', `/databases/${shown.id}/duplicate`, draft({ website_id: adaSite }), 500, 'duplicate_failed'],
      ['GET', '/databases/mysql-host', undefined, 503, 'program_unreachable'],
    ] as const) {
      const { status: answered, error } = await ask(method, path, body)
      assert.deepEqual([answered, error.code], [status, code], path)
      assert.match(error.message, /MariaDB cannot be reached/)
    }
    isReached = true
    await signedIn(`ada_${asked.username}`, asked.password).run(sql`select 1`)
  })

  test('tells where the server is reached', async () => {
    const { data } = await ask('GET', '/databases/mysql-host')
    assert.deepEqual([data.host, data.port, data.is_remote], ['localhost', null, false])
    assert.match(data.socket, /server\.sock$/)
  })

  test('requires the permission for websites', async () => {
    const person = await panel.person({ permissions: ['administrative_operations'] })
    for (const path of ['/databases', '/databases/mysql-host', `/websites/${adaSite}/databases`]) {
      assert.equal((await ask('GET', path, undefined, person)).error.code, 'forbidden')
      assert.equal((await panel.request('GET', `/api${path}`)).error.code, 'unauthorized')
    }
  })

  test('asks what happens to databases when a website is deleted', async () => {
    for (const fate of ['keep', 'remove'] as const) {
      const site = await addWebsite(panel, { domain: `${fate}.test`, userId: ada.id })
      const asked = draft()
      const { data } = await ask('POST', `/websites/${site}/databases`, asked)
      const plan = await ask('DELETE', `/websites/${site}?databases=${fate}&plan=1`)
      assert.match(
        plan.text,
        new RegExp(`The database ${data.name} ${fate === 'keep' ? 'stays' : 'is removed'}`),
      )
      const { status, text } = await ask('DELETE', `/websites/${site}?databases=${fate}`)
      assert.equal(status, 200, text)
      assert.equal((await schemas()).includes(data.name), fate === 'keep')
      const { items } = (await ask('GET', `/databases?search=${data.name}`)).data
      assert.deepEqual(
        items.map(({ website_id: id }: { website_id: number | null }) => id),
        fate === 'keep' ? [null] : [],
      )
    }
  })

  test('asks what happens to databases when a user is deleted: those that stay are for superusers alone', async () => {
    for (const fate of ['keep', 'remove'] as const) {
      const eve = await panel.person({ permissions: ['websites_management'] })
      const site = await addWebsite(panel, { domain: `eve-${fate}.test`, userId: eve.id, username: 'ada' })
      const asked = draft()
      const { data } = await ask('POST', `/websites/${site}/databases`, asked, panel.admin)
      const path = `/users/${eve.id}?databases=${fate}`
      assert.match(
        (await ask('DELETE', `${path}&plan=1`, undefined, panel.admin)).text,
        new RegExp(data.name),
      )
      const { status, text } = await ask('DELETE', path, undefined, panel.admin)
      assert.equal(status, 200, text)
      assert.deepEqual(await accounts(`ada_${asked.username}`), [])
      assert.equal((await schemas()).includes(data.name), fate === 'keep')
      const { items } = (await ask('GET', `/databases?search=${data.name}`, undefined, panel.admin)).data
      assert.deepEqual(
        items.map(({ domain, users }: { domain: string | null; users: unknown[] }) => [domain, users.length]),
        fate === 'keep' ? [[null, 0]] : [],
      )
    }
  })

  /** Neither in a command, nor in the log, the activity or the jobs. */
  async function assertNowhere(secret: string): Promise<void> {
    for (const each of [
      panel.scripted.commands,
      panel.log,
      (await ask('GET', '/activity?per_page=500', undefined, panel.admin)).data,
      (await ask('GET', '/jobs', undefined, panel.admin)).data,
    ])
      assert.ok(!JSON.stringify(each).includes(secret))
  }
})

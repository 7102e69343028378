import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { insertRow } from '../../store/rows.ts'
import { defaultSettings } from '../websites/index.ts'
import { ServerError } from '../../core/problem.ts'
import type { SqlConnection } from '../../host/apply/steps.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { scriptFirewalld, standInFirewalld } from '../../tools/firewalld/testing/stand-in.ts'
import { scriptUfw } from '../../tools/ufw/testing/stand-in.ts'
import { scriptNft, standInKernel } from '../../tools/nftables/testing/stand-in.ts'
import { leftovers } from './store.ts'

/** A MariaDB with databases but without users. */
const server = { databases: new Set<string>(), inUse: new Set<string>() }
const encoding = { charset: 'utf8mb4', collation: 'utf8mb4_general_ci' }
const connection: SqlConnection = {
  run: async ({ parts, values }) => {
    const text = parts.join('?')
    if (text.includes('information_schema.collations')) return [encoding]
    if (text.includes('from information_schema.schemata'))
      return server.databases.has(String(values[0])) ? [encoding] : []
    const [name] = values.flatMap((value) =>
      typeof value === 'object' && value ? [Object.values(value)[0]] : [],
    )
    if (!text.startsWith('drop database')) return []
    if (server.inUse.has(String(name))) throw ServerError(`${name} is in use`)
    server.databases.delete(String(name))
    return []
  },
}

interface Operation {
  readonly action: string
  readonly object: string
  readonly path: string | null
}
interface DatabaseOf {
  readonly website: number | null
  readonly engine?: 'mariadb' | 'mongodb'
  readonly users?: readonly string[]
}

const shown = (operations: readonly Operation[]) =>
  operations.map(({ action, object }) => `${action} ${object}`)

describe('a manifest', () => {
  const accounts = new Map<string, { uid: number; home?: string }>([['ada', { uid: 1001 }]])
  const kernel = standInKernel()
  let panel: TestPanel
  let ada: Person
  before(async () => {
    const noLogLinks: Script = ([program]) => (program === 'find' ? { code: 1 } : undefined)
    panel = await openTestPanel({
      hasNginx: true,
      accounts,
      environment: { HOSTREEVE_MAX_WEBSITES: '3' },
      mariadb: { connection },
      addresses: { resolve: async () => [], own: () => ['192.0.2.1'] },
      scripts: [
        noLogLinks,
        scriptNft(kernel),
        scriptUfw,
        scriptFirewalld({ ...standInFirewalld(), isActive: false }, () => undefined),
        scriptPackages(new Map([['mariadb-server', '1:10.11.14-0+deb12u2']]), {}),
      ],
    })
    await panel.start()
    ada = await panel.person({
      email: 'ada@example.com',
      username: 'ada',
      permissions: ['websites_management'],
    })
  })
  after(() => panel.close())

  const send = (verb: string, manifest: object | string, rest: object = {}, as: Person = panel.admin) =>
    panel.request('POST', `/api/manifest/${verb}`, {
      as,
      body: {
        text: typeof manifest === 'string' ? manifest : JSON.stringify({ version: 1, ...manifest }),
        ...rest,
      },
    })
  const plan = async (manifest: object, rest: object = {}) => {
    const answer = await send('plan', manifest, rest)
    assert.equal(answer.status, 200, answer.text)
    return answer.data
  }
  const apply = async (manifest: object, rest: object = {}) => {
    const answer = await send('apply', manifest, rest)
    assert.equal(answer.status, 200, answer.text)
    return answer.data
  }
  const exported = async (query = ''): Promise<string> =>
    (await panel.request('GET', `/api/manifest/export${query}`, { as: panel.admin })).data.text
  /** Adds a database to the store and the server. */
  const addDatabase = async (name: string, { website, users = [name], engine = 'mariadb' }: DatabaseOf) => {
    const id = panel.store.nextId('databases')
    const at = '2026-01-01T00:00:00.000Z'
    const row = { id, name, engine, user_id: ada.id, website_id: website }
    const accounts = users.map((username) => ({ username, host: 'localhost', database_id: id }))
    await panel.store.transaction((tx) =>
      panel.store.write(tx, [
        insertRow('databases', { ...row, created_at: at, updated_at: at, revision: 1 }),
        ...accounts.map((account) => insertRow('database_accounts', account)),
      ]),
    )
    if (engine === 'mariadb') server.databases.add(name)
  }

  it('is for superusers', async () => {
    for (const verb of ['plan', 'apply']) assert.equal((await send(verb, {}, {}, ada)).status, 403)
    assert.equal((await panel.request('GET', '/api/manifest/export', { as: ada })).status, 403)
  })

  it('lists what it does to new objects that belong to each other', async () => {
    const { operations, references, steps, confirmations } = await plan({
      users: [
        { email: 'bob@example.com', username: 'bob', password: { env: 'BOB' } },
        { email: 'cy@example.com', username: 'cy' },
      ],
      websites: [
        { domain: 'bob.example.com', username: 'bob', type: 'static', aliases: ['www.bob.example.com'] },
        { domain: 'cy.example.com', username: 'cy', type: 'static', maintenance: true },
      ],
      databases: [
        {
          ...{ name: 'bob_shop', website: 'bob.example.com' },
          users: [{ username: 'bob_shop' }, { username: 'bob_read', host: '%', password: { file: '/p' } }],
        },
      ],
    })
    assert.deepEqual(shown(operations), [
      'create user bob@example.com',
      'create user cy@example.com',
      'create website bob.example.com',
      'create website cy.example.com',
      'create database bob_shop',
    ])
    assert.equal(operations[4].path, 'databases[0]')
    assert.deepEqual(references, [
      { path: 'users[0].password', env: 'BOB', file: null },
      { path: 'databases[0].users[1].password', env: null, file: '/p' },
    ])
    assert.deepEqual(confirmations, [])
    const titles = steps.map(({ title }: { readonly title: string }) => title).join('\n')
    for (const title of [
      /Create the Linux account bob/,
      /Make the folder sites\/bob\.example\.com\/public in the home of bob/,
      /Create the database bob_shop in MariaDB/,
      /bob_read/,
    ])
      assert.match(titles, title)
    assert.equal((await panel.request('GET', '/api/users?search=bob', { as: panel.admin })).data.total, 0)
  })

  it('names the object that is refused', async () => {
    await addWebsite(panel, { domain: 'taken.example.com', userId: ada.id })
    for (const [manifest, message] of [
      [
        { websites: [{ domain: 'x.example.com', username: 'nobody', type: 'static' }] },
        /^websites\[0\]\.username: no hosting user named "nobody"/,
      ],
      [
        { websites: [{ domain: 'x.example.com', username: 'ada', type: 'proxy' }] },
        /^websites\[0\]\.upstream: is required for a proxy/,
      ],
      [
        {
          websites: [{ domain: 'x.example.com', username: 'ada', type: 'static', limits: { memory_mb: 64 } }],
        },
        /^websites\[0\]\.limits: belongs to websites of type php/,
      ],
      [
        { websites: [{ domain: 'x.example.com', username: 'ada', type: 'static', hsts: true }] },
        /^websites\[0\]\.hsts: needs https_redirect/,
      ],
      [
        { websites: [{ domain: 'taken.example.com', username: 'ada', type: 'php' }] },
        /^websites\[0\]\.type: taken\.example\.com is of the type static/,
      ],
      [
        {
          users: [{ email: 'dan@example.com', username: 'dan' }],
          websites: [{ domain: 'taken.example.com', username: 'dan', type: 'static' }],
        },
        /^websites\[0\]\.username: taken\.example\.com belongs to ada/,
      ],
      [
        { users: [{ email: 'dan@example.com', username: 'ada' }] },
        /^users\[0\]\.username: ada belongs to another user/,
      ],
      [
        { users: [{ email: 'ada@example.com', username: 'dan' }] },
        /^users\[0\]\.username: ada@example\.com owns the Linux account ada/,
      ],
      [
        { users: [{ email: 'dan@example.com', is_suspended: true }] },
        /^users\[0\]\.is_suspended: a new user/,
      ],
      [
        { databases: [{ name: 'ada_x', website: 'none.example.com', users: [{ username: 'ada_x' }] }] },
        /^databases\[0\]\.website: there is no website none\.example\.com/,
      ],
      [
        { databases: [{ name: 'bob_x', website: 'taken.example.com', users: [{ username: 'ada_x' }] }] },
        /^databases\[0\]\.name: bob_x must begin with ada_/,
      ],
      [
        {
          databases: [
            {
              ...{ name: 'ada_x', website: 'taken.example.com' },
              users: [{ username: 'ada_x' }, { username: 'bob_y' }],
            },
          ],
        },
        /^databases\[0\]\.users\[1\]\.username: bob_y must begin with ada_/,
      ],
      [
        {
          databases: [
            {
              ...{ name: 'ada_x', website: 'taken.example.com' },
              users: [{ username: 'ada_x' }, { username: 'ada_x', host: 'LOCALHOST' }],
            },
          ],
        },
        /^databases\[0\]\.users\[1\]\.username: ada_x at localhost is there twice/,
      ],
      [{ zones: [{ name: 'a.test' }] }, /^zones: PowerDNS is not set up on this host/],
      [
        { firewall_rules: [{ action: 'allow' }, { action: 'limit', protocol: 'tcp' }] },
        /^firewall_rules\[1\]\.rate: a rule with limit needs a rate/,
      ],
    ] as const) {
      const answer = await send('plan', manifest)
      assert.deepEqual([answer.status, answer.error?.code], [400, 'bad_request'], answer.text)
      assert.match(answer.error.message, message)
    }
  })

  it('refuses two superusers that would leave none', async () => {
    const other = await panel.person({ email: 'root@example.com', isAdmin: true })
    const users = [panel.admin.email, other.email].map((email) => ({ email, is_suspended: true }))
    const { status, error } = await send('plan', { users })
    assert.equal(status, 400)
    assert.match(error.message, /^users\[1\]\.is_suspended: .* is the last active superuser/)
  })

  it('has to be confirmed where it takes rights or lets somebody in no longer', async () => {
    const demoted = { users: [{ email: 'root@example.com', is_admin: false }] }
    assert.deepEqual((await plan(demoted)).confirmations, [
      'The user root@example.com is no superuser any more',
    ])
    const suspended = { users: [{ email: 'ada@example.com', is_suspended: true }] }
    assert.deepEqual((await plan(suspended)).confirmations, [
      'The user ada@example.com is suspended, and signed out at once',
    ])
    for (const manifest of [demoted, suspended])
      assert.equal((await send('apply', manifest)).error?.code, 'confirmation_required')
    await apply(demoted, { confirm: true })
  })

  it('says what the areas say of its effects', async () => {
    const gil = await panel.person({ email: 'gil@example.com' })
    await panel.request('POST', `/api/users/${gil.id}/api-keys`, {
      as: panel.admin,
      body: { name: 'planted' },
    })
    const { operations } = await plan({ users: [{ email: 'gil@example.com', is_admin: true }] })
    assert.deepEqual(operations[0].details, [
      'is_admin',
      'The API key planted, which another user made, is deleted',
    ])
    await panel.request('DELETE', `/api/users/${gil.id}`, { as: panel.admin })
  })

  it('creates users with passwords that are drawn or sent, and then has nothing to do', async () => {
    const users = [
      { email: 'eve@example.com', fullname: 'Eve', permissions: ['websites_management'] },
      { email: 'fay@example.com', password: { env: 'FAY' } },
    ]
    const unsent = await send('apply', { users })
    assert.deepEqual([unsent.status, unsent.error.code], [400, 'bad_request'])
    assert.match(unsent.error.message, /^users\[1\]\.password: needs the value of the variable FAY/)
    const secrets = (value: string) => ({ secrets: [{ path: 'users[1].password', value }] })
    assert.match(
      (await send('apply', { users }, secrets('short'))).error.message,
      /^users\[1\]\.password: must be/,
    )
    const wrongPath = await send('apply', { users }, { secrets: [{ path: 'users[0].password', value: 'x' }] })
    assert.match(wrongPath.error.message, /^secrets: the manifest has no reference at users\[0\]\.password/)
    const { operations, passwords } = await apply({ users }, secrets('the password of fay'))
    assert.deepEqual(shown(operations), ['create user eve@example.com', 'create user fay@example.com'])
    assert.deepEqual(
      passwords.map(({ path, object }: any) => [path, object]),
      [['users[0].password', 'user eve@example.com']],
    )
    for (const [email, password] of [
      ['eve@example.com', passwords[0].password],
      ['fay@example.com', 'the password of fay'],
    ])
      assert.equal(
        (await panel.request('POST', '/api/auth/login', { body: { email, password } })).status,
        200,
      )
    for (const path of ['/api/activity?per_page=100', '/api/jobs?per_page=100']) {
      const { text } = await panel.request('GET', path, { as: panel.admin })
      assert.ok(!text.includes(passwords[0].password) && !text.includes('the password of fay'), path)
    }
    assert.deepEqual(await apply({ users }), { operations: [], passwords: [], left: [] })
  })

  it('changes what differs alone', async () => {
    const users = [{ email: 'eve@example.com', fullname: 'Eve Adams', permissions: [] }]
    const { operations } = await apply({ users })
    assert.deepEqual(operations, [
      {
        ...{ action: 'change', object: 'user eve@example.com', path: 'users[0]' },
        details: ['fullname', 'permissions'],
      },
    ])
    assert.deepEqual((await plan({ users })).operations, [])
  })

  const ports = async () =>
    (await panel.request('GET', '/api/firewall/rules', { as: panel.admin })).data.map(
      (rule: { readonly ports: readonly string[] }) => rule.ports.join(),
    )
  const allow = (...of: readonly (number | string)[]) => ({ action: 'allow', protocol: 'tcp', ports: of })

  it('puts firewall rules where the file has them, and leaves the others', async () => {
    await panel.request('POST', '/api/firewall/rules', { as: panel.admin, body: allow('22') })
    await apply({ firewall_rules: [allow(80), allow(443)] })
    assert.deepEqual(await ports(), ['22', '80', '443'])
    const firewall_rules = [allow(443), allow('8000-8100'), allow(80)]
    assert.deepEqual(shown((await apply({ firewall_rules })).operations), [
      'create firewall rule allow tcp 8000-8100',
      'change firewall rules',
    ])
    assert.deepEqual(await ports(), ['22', '443', '8000-8100', '80'])
    assert.deepEqual((await plan({ firewall_rules })).operations, [])
  })

  it('is exported as it is, and a plan of that has nothing to do', async () => {
    const text = await exported()
    assert.match(text, /^# Passwords are left out.*\nversion: 1\n/)
    assert.match(text, /- domain: taken\.example\.com\n {4}username: ada\n {4}type: static\n/)
    assert.doesNotMatch(text, /password|zones/)
    for (const prune of [false, true]) {
      const { status, data } = await send('plan', text, { prune })
      assert.deepEqual([status, data?.operations], [200, []])
    }
    const json = await panel.request('GET', '/api/manifest/export?format=json', { as: panel.admin })
    assert.equal(JSON.parse(json.data.text).version, 1)
  })

  it('has nothing of what other areas set on a website, which stays', async () => {
    const { db } = panel.store
    const { id } = await db
      .selectFrom('websites')
      .select('id')
      .where('domain', '=', 'taken.example.com')
      .executeTakeFirstOrThrow()
    const ofAreas = {
      page_cache: {
        ...{ is_enabled: false, lifetime_seconds: 60, max_size_mb: 1, caches_queries: false },
        ...{ uncached_paths: [], uncached_cookies: [] },
      },
      ...{ refused_scripts: ['/xmlrpc.php'], sign_in_script: '/wp-login.php' },
    }
    const settings = JSON.stringify({ ...defaultSettings, ...ofAreas })
    await panel.store.transaction((tx) =>
      panel.store.write(tx, [insertRow('website_settings', { website_id: id, settings, passwords: null })]),
    )
    const text = await exported('?section=websites')
    assert.doesNotMatch(text, /page_cache|refused_scripts|sign_in_script/)
    const planned = await send('plan', text)
    assert.deepEqual([planned.status, planned.data?.operations], [200, []])
    const site = { domain: 'taken.example.com', username: 'ada', type: 'static', maintenance: true }
    await apply({ websites: [site] })
    await apply({ websites: [{ ...site, maintenance: false }] })
    const stored = await db
      .selectFrom('website_settings')
      .select('settings')
      .where('website_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(JSON.parse(stored.settings), { ...defaultSettings, ...ofAreas })
  })

  it('is exported by sections', async () => {
    const text = await exported('?section=firewall_rules')
    assert.match(text, /\nversion: 1\nfirewall_rules:\n/)
    assert.doesNotMatch(text, /users|websites/)
    assert.deepEqual((await send('plan', text, { prune: true })).data.operations, [])
    const none = await panel.request('GET', '/api/manifest/export?section=user', { as: panel.admin })
    assert.deepEqual([none.status, none.error.code], [400, 'bad_request'])
    const eve = await panel.store.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'eve@example.com')
      .executeTakeFirst()
    const many = Array.from({ length: 1000 }, (_, at) => ({ email: `n${at}@example.com` }))
    await panel.store.transaction((tx) =>
      panel.store.write(
        tx,
        many.map(({ email }) => insertRow('users', { ...eve!, email, id: panel.store.nextId('users') })),
      ),
    )
    const whole = await panel.request('GET', '/api/manifest/export', { as: panel.admin })
    assert.deepEqual([whole.status, whole.error.code], [413, 'too_large'])
    assert.match(whole.error.message, /: name one section after the other$/)
    assert.match(await exported('?section=websites'), /taken\.example\.com/)
    await panel.store.db.deleteFrom('users').where('email', 'like', 'n%@example.com').execute()
  })

  it('deletes what is not in its sections only if that is confirmed', async () => {
    const users = [{ email: 'ada@example.com' }, { email: 'eve@example.com' }]
    const firewall_rules = [allow(80)]
    const { confirmations, operations } = await plan({ users, firewall_rules }, { prune: true })
    assert.deepEqual(shown(operations), [
      ...['22', '443', '8000-8100'].map((port) => `delete firewall rule allow tcp ${port}`),
      'delete user fay@example.com',
      'delete user root@example.com',
    ])
    assert.ok(confirmations.some((text: string) => text.startsWith('Delete the user fay@example.com')))
    const unconfirmed = await send('apply', { users, firewall_rules }, { prune: true })
    assert.deepEqual([unconfirmed.status, unconfirmed.error.code], [409, 'confirmation_required'])
    assert.match(unconfirmed.error.message, /fay@example\.com/)
    await apply({ users, firewall_rules }, { prune: true, confirm: true })
    assert.deepEqual(await ports(), ['80'])
    const left = (await panel.request('GET', '/api/users?sort=email', { as: panel.admin })).data.items
    assert.deepEqual(
      left.map(({ email }: { readonly email: string }) => email).toSorted(),
      ['ada@example.com', 'eve@example.com', panel.admin.email].toSorted(),
    )
  })

  it('tells which rules of a firewall that is on could lock people out, and loads them once confirmed', async () => {
    await panel.store.db.updateTable('firewall_settings').set({ is_enabled: 1 }).execute()
    const firewall_rules = [{ action: 'deny', protocol: 'tcp', ports: [23] }]
    const { confirmations } = await plan({ firewall_rules })
    assert.deepEqual(confirmations, ['The firewall rule deny tcp 23 takes effect at once'])
    assert.equal((await send('apply', { firewall_rules })).error.code, 'confirmation_required')
    await apply({ firewall_rules }, { confirm: true })
    assert.match([...kernel.tables.values()].join(), /tcp dport \{ 23 \}/)
  })

  it('does not prune users with websites unless it has websites', async () => {
    const { status, error } = await send('plan', { users: [] }, { prune: true })
    assert.equal(status, 400)
    assert.match(error.message, /^users: ada@example\.com would be deleted with their websites/)
    const { operations } = await plan({ users: [], websites: [] }, { prune: true })
    assert.ok(shown(operations).includes('delete user ada@example.com'))
    const kept = { websites: [{ domain: 'taken.example.com', username: 'ada', type: 'static' }] }
    const used = await send('plan', { users: [], ...kept }, { prune: true })
    assert.match(used.error.message, /^websites\[0\]\.username: ada is not among the users of the manifest/)
  })

  describe('with databases', () => {
    const site = { domain: 'taken.example.com', username: 'ada', type: 'static' }
    const users = [{ email: 'ada@example.com' }]
    const database = (name: string) => ({ name, website: site.domain, users: [{ username: name }] })
    before(async () => {
      const { id: website } = (
        await panel.request('GET', '/api/websites', { as: panel.admin })
      ).data.items.find(({ domain }: { readonly domain: string }) => domain === site.domain)
      await addDatabase('ada_one', { website })
      await addDatabase('ada_two', { website, users: [] })
      await addDatabase('ada_loose', { website: null })
    })

    it('does not prune those that it has, where their website goes with its owner', async () => {
      const { status, error } = await send(
        'plan',
        { users: [], websites: [], databases: [database('ada_one')] },
        { prune: true },
      )
      assert.equal(status, 400)
      assert.match(error.message, /^databases\[0\]\.website: taken\.example\.com is not among its websites/)
    })

    it('exports those without users, and then has nothing to prune', async () => {
      const { data } = await send('plan', await exported(), { prune: true })
      assert.deepEqual(data.operations, [])
      const refused = await send('plan', { databases: [{ ...database('ada_new'), users: [] }] })
      assert.match(refused.error.message, /^databases\[0\]\.users: one user of a new database connects from/)
    })

    it('exports those that others named, and then has nothing to do', async () => {
      const { id: website } = (
        await panel.request('GET', '/api/websites', { as: panel.admin })
      ).data.items.find(({ domain }: { readonly domain: string }) => domain === site.domain)
      for (const name of ['wordpress', '2024-shop']) await addDatabase(name, { website, users: [] })
      const text = await exported()
      assert.match(text, /- name: wordpress\n/)
      assert.deepEqual((await send('plan', text, { prune: true })).data.operations, [])
      const names = ['wordpress', '2024-shop']
      await panel.store.db.deleteFrom('databases').where('name', 'in', names).execute()
      for (const name of names) server.databases.delete(name)
    })

    it('leaves the engine of those that do not name it', async () => {
      const { id: website } = (
        await panel.request('GET', '/api/websites', { as: panel.admin })
      ).data.items.find(({ domain }: { readonly domain: string }) => domain === site.domain)
      await addDatabase('ada_docs', { website, engine: 'mongodb' })
      assert.deepEqual((await plan({ databases: [database('ada_docs')] })).operations, [])
      const moved = await send('plan', { databases: [{ ...database('ada_docs'), engine: 'mariadb' }] })
      assert.match(moved.error.message, /^databases\[0\]\.engine: ada_docs is on mongodb/)
      const { operations } = await plan({ databases: [database('ada_fresh')] })
      assert.match(operations[0].details.join(), /, on mariadb/)
      await panel.store.db.deleteFrom('database_accounts').where('username', '=', 'ada_docs').execute()
      await panel.store.db.deleteFrom('databases').where('name', '=', 'ada_docs').execute()
    })

    it('keeps those without a website, also of users who are pruned', async () => {
      const { operations, steps } = await plan({ users: [], websites: [], databases: [] }, { prune: true })
      const { details } = operations.find(({ object }: Operation) => object === 'user ada@example.com')
      assert.ok(
        details.includes('The database ada_loose stays, without an owner; its users are removed'),
        details,
      )
      assert.ok(details.includes('The database ada_one is removed, with its users'), details)
      const titles = JSON.stringify(steps)
      assert.match(titles, /Remove the database ada_one /)
      assert.doesNotMatch(titles, /Remove the database ada_loose/)
    })

    it('does what was planned, or nothing', async () => {
      const manifest = { users, websites: [site], databases: [] }
      const { digest } = await plan(manifest, { prune: true })
      await addWebsite(panel, { domain: 'late.example.com', userId: ada.id })
      const late = await send('apply', manifest, { prune: true, confirm: true, plan: digest })
      assert.deepEqual([late.status, late.error.code], [409, 'plan_changed'])
      assert.ok(server.databases.has('ada_one'))
      await panel.store.db.deleteFrom('websites').where('domain', '=', 'late.example.com').execute()
      const other = await send(
        'apply',
        { ...manifest, users: undefined },
        { prune: true, confirm: true, plan: digest },
      )
      assert.equal(other.error.code, 'plan_changed')
    })

    it('leaves all of them where the first cannot be dropped', async () => {
      server.inUse.add('ada_one')
      const manifest = { users, websites: [site], databases: [] }
      const { status } = await send('apply', manifest, { prune: true, confirm: true })
      server.inUse.clear()
      assert.equal(status, 500)
      assert.deepEqual([...server.databases].toSorted(), ['ada_loose', 'ada_one', 'ada_two'])
      assert.deepEqual((await plan({ databases: [database('ada_one')] })).operations, [])
    })

    it('goes on once one is dropped, and says which are left', async () => {
      server.inUse.add('ada_two')
      const manifest = { users, websites: [site], databases: [] }
      const { digest, steps } = await plan(manifest, { prune: true })
      assert.equal(steps.filter(({ irreversible }: any) => irreversible !== null).length, 1)
      const { left } = await apply(manifest, { prune: true, confirm: true, plan: digest })
      assert.deepEqual(left, [
        'Remove the database ada_two from MariaDB, with all its tables: ada_two is in use',
      ])
      assert.deepEqual([...server.databases].toSorted(), ['ada_loose', 'ada_two'])
      assert.deepEqual((await plan(manifest, { prune: true })).operations, [])
    })

    it('notifies superusers of what each has left', async () => {
      const told = async (): Promise<readonly { message: string; link: string; count: number }[]> =>
        (await panel.request('GET', '/api/notifications?kind=manifest_incomplete', { as: panel.admin })).data
          .items
      const [first] = await until(async () => {
        const items = await told()
        return items.length > 0 && items
      })
      assert.match(
        first?.message ?? '',
        /^Remove on the server .*the database ada_two .*: ada_two is in use$/,
      )
      const row = leftovers.row({ job_id: 999_999, message: 'Drop x', created_at: new Date().toISOString() })
      await panel.store.transaction((tx) => panel.store.write(tx, [leftovers.insert(row)]))
      const both = await until(async () => {
        const items = await told()
        return items.length > 1 && items
      })
      assert.deepEqual(
        both.map(({ count }) => count),
        [1, 1],
      )
      assert.ok(both.some(({ link }) => link === '/jobs/999999'))
    })
  })

  it('counts the websites that it creates itself', async () => {
    const websites = ['one', 'two', 'three'].map((name) => ({
      ...{ domain: `${name}.example.com`, username: 'ada', type: 'static' },
    }))
    const { status, error } = await send('plan', { websites })
    assert.deepEqual([status, error.code], [403, 'license_limit'])
    assert.match(error.message, /^websites\[2\]: the configuration limits websites to 3/)
  })

  it('is too large beyond a number of objects', async () => {
    const zones = Array.from({ length: 1000 }, (_, at) => ({ name: `z${at}.test` }))
    const { status, error } = await send('plan', { zones, users: [{ email: 'x@example.com' }] })
    assert.deepEqual([status, error.code], [413, 'too_large'])
  })

  it('is not repeated on replication servers, which has to be confirmed', async () => {
    const users = [{ email: 'eve@example.com', fullname: 'Eve Again' }]
    await panel.request('POST', '/api/replication-servers', {
      as: panel.admin,
      body: { name: 'second', host: '203.0.113.9', port: 2100, api_key: `bap_${'a'.repeat(43)}` },
    })
    assert.match((await plan({ users })).confirmations.join(), /^Replication servers do not get what/)
    assert.equal((await send('apply', { users })).error?.code, 'confirmation_required')
    await apply({ users }, { confirm: true })
    assert.deepEqual((await plan({ users })).confirmations, [])
  })

  it('is not shown by the activity', async () => {
    await send('apply', 'version: 1\nusers: [{ email: a@b.c, hunter2-in-clear: x }]')
    await send('apply', "version: 1\nusers:\n  - email: a@b.c\n    password: 'x' hunter2-in-clear")
    await send('plan', 'version: 1\nusers: [{ email: a@b.c, password: hunter2-in-clear }]')
    await send('apply', 'version: 1\nusers: [{ email: a@b.c, password: hunter2-in-clear }]')
    const { text } = await panel.request('GET', '/api/activity?per_page=100', { as: panel.admin })
    assert.ok(!text.includes('hunter2'))
  })
})

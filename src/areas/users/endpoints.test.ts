import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, mock, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'

const draft = { password: 'a long password', fullname: 'Ada Lovelace' }

/** Only root can give the files of homes to their owners. */
const needsRoot = { skip: process.getuid?.() !== 0 && 'only root can create accounts' }

describe('users', () => {
  let panel: TestPanel
  let keeper: Person
  const refuseAccount = (argv: readonly string[]) =>
    argv[0] === 'useradd' && argv.at(-1) === 'refused'
      ? { code: 1, stderr: 'useradd: cannot lock /etc/passwd; try again later.' }
      : undefined
  const accounts = new Map([
    ['taken', { uid: 1000 }],
    ['daemon', { uid: 1 }],
  ])
  before(async () => {
    panel = await openTestPanel({ accounts, scripts: [refuseAccount] })
    keeper = await panel.person({
      email: 'keeper@example.com',
      permissions: ['booting_users_management', 'websites_management'],
    })
  })
  after(() => panel.close())

  const ask = (method: string, path: string, body?: unknown, as: Person = panel.admin) =>
    panel.request(method, `/api/users${path}`, { as, ...(body !== undefined && { body }) })
  const isSignedIn = async (token: string) =>
    (await panel.request('GET', '/api/auth/me', { as: token })).status === 200
  const latest = async () =>
    (await panel.request('GET', '/api/activity?limit=1', { as: panel.admin })).data.items[0]

  describe('listing and reading', () => {
    test('lists users by page, sorted and filtered, without their passwords', async () => {
      for (const name of ['zeno', 'yara', 'xeno']) await panel.person({ email: `${name}@list.example.com` })
      const { data, text } = await ask('GET', '?search=list.example&sort=-email&per_page=2')
      assert.deepEqual(
        data.items.map(({ email }: { email: string }) => email),
        ['zeno@list.example.com', 'yara@list.example.com'],
      )
      assert.deepEqual([data.total, data.page, data.per_page], [3, 1, 2])
      assert.doesNotMatch(text, /password|argon2/)
    })

    test('lists the users in one state', async () => {
      const idle = await panel.person({ email: 'idle@state.example.com' })
      await panel.person({ email: 'busy@state.example.com' })
      await ask('PATCH', `/${idle.id}`, { is_suspended: true })
      const emailsIn = async (state: string) => {
        const { data } = await ask('GET', `?search=state.example&state=${state}`)
        return [data.total, ...data.items.map(({ email }: { email: string }) => email)]
      }
      assert.deepEqual(await emailsIn('suspended'), [1, 'idle@state.example.com'])
      assert.deepEqual(await emailsIn('active'), [1, 'busy@state.example.com'])
      const { status, error } = await ask('GET', '?state=deleted')
      assert.deepEqual([status, error.message], [400, 'state: must be one of active, suspended'])
    })

    test('refuses an invalid page, size or sort order', async () => {
      for (const query of ['page=0', 'per_page=501', 'sort=password_hash', 'page=x']) {
        const { status, error } = await ask('GET', `?${query}`)
        assert.deepEqual([status, error.code], [400, 'bad_request'])
        assert.match(error.message, new RegExp(`^${query.split('=')[0]}: must be `))
      }
    })

    test('reads a user with its revision as ETag', async () => {
      const { data, headers } = await ask('GET', `/${keeper.id}`)
      assert.deepEqual([data.email, data.is_admin, headers['etag']], ['keeper@example.com', false, '"1"'])
    })

    test('lists the grantable permissions', async () => {
      const { data } = await ask('GET', '/permission-slugs')
      assert.deepEqual(data.map(({ slug }: { slug: string }) => slug).toSorted(), [
        'administrative_operations',
        'booting_users_management',
        'plugins_management',
        'terminal_access',
        'websites_management',
      ])
    })

    test('answers 404 for an unknown user, but an empty list of its keys', async () => {
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', {}],
        ['GET', '/permissions'],
        ['POST', '/permissions', { permissions: [] }],
        ['POST', '/api-keys', { name: 'x' }],
      ] as const) {
        assert.equal((await ask(method, `/999999${path}`, body)).error.code, 'not_found')
      }
      assert.deepEqual((await ask('GET', '/999999/api-keys')).data, { keys: [] })
      assert.equal((await ask('DELETE', '/999999/api-keys/1')).status, 200)
    })

    test('requires the permission, except for reading one’s own permissions', async () => {
      const person = await panel.person({ permissions: ['websites_management'] })
      for (const [method, path] of [
        ['GET', ''],
        ['POST', ''],
        ['GET', '/permission-slugs'],
        ['GET', `/${person.id}`],
        ['PATCH', `/${person.id}`],
        ['GET', `/${keeper.id}/permissions`],
        ['POST', `/${person.id}/permissions`],
        ['GET', `/${person.id}/api-keys`],
        ['POST', `/${person.id}/api-keys`],
        ['DELETE', `/${person.id}/api-keys/1`],
      ] as const) {
        assert.equal(
          (await ask(method, path, method === 'GET' ? undefined : {}, person)).error?.code,
          'forbidden',
          `${method} ${path}`,
        )
        assert.equal((await panel.request(method, `/api/users${path}`)).error.code, 'unauthorized')
      }
      assert.deepEqual((await ask('GET', `/${person.id}/permissions`, undefined, person)).data, [
        'websites_management',
      ])
    })
  })

  describe('creating', () => {
    const asRoot = () => mock.method(process as { getuid: () => number }, 'getuid', () => 0)
    afterEach(() => mock.restoreAll())

    test('creates no Linux account if the panel does not run as root', async () => {
      mock.method(process as { getuid: () => number }, 'getuid', () => 1000)
      const { status, error } = await ask('POST', '', {
        ...draft,
        email: 'unprivileged@example.com',
        username: 'unprivileged',
      })
      assert.deepEqual([status, error.code], [503, 'unavailable'])
      assert.ok(!accounts.has('unprivileged'))
    })

    test('creates a user who can sign in, and records it without the password', async () => {
      const { status, data } = await ask('POST', '', { ...draft, email: 'Ada@Example.com' })
      assert.deepEqual(
        [status, data.email, data.username, data.is_admin],
        [201, 'ada@example.com', null, false],
      )
      const entry = await latest()
      assert.deepEqual(
        [entry.action, entry.user_id, entry.status],
        ['users_create_user', panel.admin.id, 'ok'],
      )
      assert.equal(entry.request.body.password, '••••••••')
      assert.equal(
        (
          await panel.request('POST', '/api/auth/login', {
            body: { email: 'ada@example.com', password: draft.password },
          })
        ).status,
        200,
      )
    })

    test('grants the permissions of the draft, none of which the caller lacks', async () => {
      const email = 'customer@example.com'
      const permissions = ['websites_management', 'no_such_thing']
      const { status, data } = await ask('POST', '', { ...draft, email, permissions }, keeper)
      assert.equal(status, 201)
      assert.deepEqual((await ask('GET', `/${data.id}/permissions`)).data, ['websites_management'])
      const more = { ...draft, email: 'more@example.com', permissions: ['terminal_access'] }
      assert.equal((await ask('POST', '', more, keeper)).error.code, 'forbidden')
      assert.equal((await ask('GET', '?search=more@example.com')).data.total, 0)
    })

    test('creates the Linux account if a user name is given', needsRoot, async () => {
      const { status, data } = await ask('POST', '', {
        ...draft,
        email: 'grace@example.com',
        username: 'grace',
      })
      assert.deepEqual([status, data.username], [201, 'grace'])
      assert.ok(accounts.has('grace'))
    })

    test(
      'fails with account_failed, and creates no user, if the host refuses the account',
      needsRoot,
      async () => {
        const email = 'refused@example.com'
        const { status, error } = await ask('POST', '', { ...draft, email, username: 'refused' })
        assert.deepEqual([status, error.code], [500, 'account_failed'])
        assert.match(error.message, /cannot lock/)
        assert.equal((await ask('GET', `?search=${email}`)).data.total, 0)
      },
    )

    test('previews the account in the plan without creating it', async () => {
      asRoot()
      const { data } = await ask('POST', '?plan=1', {
        ...draft,
        email: 'plan@example.com',
        username: 'planned',
      })
      assert.match(JSON.stringify(data.steps), /planned/)
      assert.doesNotMatch(JSON.stringify(data), /a long password|argon2/)
      assert.ok(!accounts.has('planned'))
    })

    for (const [what, body, message] of [
      [
        'an address that is taken, whatever its case',
        { email: 'KEEPER@example.com' },
        /^email: keeper@example.com belongs/,
      ],
      ['an account of somebody else', { username: 'taken' }, /^username: /],
      ['an account of the system', { username: 'daemon' }, /^username: /],
      ['root', { username: 'root' }, /^username: /],
      ['a user name that begins with a dash', { username: '-rf' }, /^username: must be a Linux account name/],
      ['a user name with a newline', { username: 'a\nb' }, /^username: /],
      ['a short password', { password: 'short' }, /^password: must be a password of 10/],
      ['no name', { fullname: '' }, /^fullname: /],
      ['an address that is none', { email: 'nobody' }, /^email: must be an e-mail address/],
      ['a flag that is no flag', { is_admin: 'yes' }, /^is_admin: must be true or false/],
    ] as const) {
      test(`refuses ${what}, and creates nothing`, async () => {
        asRoot()
        const before = (await ask('GET', '')).data.total
        const { status, error } = await ask('POST', '', { ...draft, email: 'refused@example.com', ...body })
        assert.deepEqual([status, error.code], [400, 'bad_request'])
        assert.match(error.message, message)
        assert.equal((await ask('GET', '')).data.total, before)
      })
    }

    test('executes a repeated request with the same key once', async () => {
      const send = (fullname: string) =>
        panel.request('POST', '/api/users', {
          as: panel.admin,
          headers: { 'idempotency-key': 'once' },
          body: { ...draft, fullname, email: 'once@example.com' },
        })
      const [first, again, other] = [await send('One'), await send('One'), await send('Two')]
      assert.deepEqual(
        [first.status, again.status, again.data.id, again.headers['idempotency-replayed']],
        [201, 201, first.data.id, 'true'],
      )
      assert.deepEqual([other.status, other.error.code], [409, 'idempotency_conflict'])
    })
  })

  describe('privilege escalation', () => {
    test('a caller who manages users can neither create nor edit a superuser, nor grant permissions they do not have', async () => {
      const person = await panel.person()
      const denied = [
        await ask('POST', '', { ...draft, email: 'up@example.com', is_admin: true }, keeper),
        await ask('PATCH', `/${person.id}`, { is_admin: true }, keeper),
        await ask('PATCH', `/${keeper.id}`, { is_admin: true }, keeper),
        await ask('PATCH', `/${panel.admin.id}`, { fullname: 'Mine now' }, keeper),
        await ask('PATCH', `/${panel.admin.id}`, { is_suspended: true }, keeper),
        await ask('POST', `/${panel.admin.id}/permissions`, { permissions: [] }, keeper),
        await ask(
          'POST',
          `/${person.id}/permissions`,
          { permissions: ['administrative_operations'] },
          keeper,
        ),
        await ask(
          'POST',
          `/${keeper.id}/permissions`,
          { permissions: ['booting_users_management', 'terminal_access'] },
          keeper,
        ),
        await ask('POST', `/${panel.admin.id}/api-keys`, { name: 'up' }, keeper),
      ]
      for (const { status, error } of denied) assert.deepEqual([status, error.code], [403, 'forbidden'])
      assert.equal((await ask('GET', `/${panel.admin.id}`)).data.fullname, `Person ${panel.admin.id}`)
    })

    test('they can neither create a key for a user with more permissions nor delete a key of a superuser', async () => {
      const stronger = await panel.person({ permissions: ['administrative_operations'] })
      assert.equal(
        (await ask('POST', `/${stronger.id}/api-keys`, { name: 'up' }, keeper)).error.code,
        'forbidden',
      )
      const { data } = await ask('POST', `/${panel.admin.id}/api-keys`, { name: 'own' })
      assert.equal(
        (await ask('DELETE', `/${panel.admin.id}/api-keys/${data.id}`, undefined, keeper)).error.code,
        'forbidden',
      )
    })

    test('they grant permissions they have; unknown slugs are skipped', async () => {
      const person = await panel.person()
      assert.equal(
        (
          await ask(
            'POST',
            `/${person.id}/permissions`,
            { permissions: ['websites_management', 'no_such_thing'] },
            keeper,
          )
        ).status,
        200,
      )
      assert.deepEqual((await ask('GET', `/${person.id}/permissions`, undefined, keeper)).data, [
        'websites_management',
      ])
      assert.equal((await latest()).action, 'users_set_permissions')
    })

    test('the last active superuser cannot be demoted or suspended', async () => {
      for (const edit of [{ is_admin: false }, { is_suspended: true }]) {
        const { status, error } = await ask('PATCH', `/${panel.admin.id}`, edit)
        assert.deepEqual([status, error.code], [400, 'bad_request'])
        assert.match(error.message, /is the last active superuser$/)
      }
      const second = await panel.person({ isAdmin: true })
      assert.equal((await ask('PATCH', `/${second.id}`, { is_admin: false })).status, 200)
    })
  })

  describe('changing', () => {
    test('changes name and address, ignores empty ones, and refuses an outdated revision', async () => {
      const { id } = await panel.person()
      assert.equal((await ask('PATCH', `/${id}`, { fullname: 'New', email: '' })).status, 200)
      const { data } = await ask('GET', `/${id}`)
      assert.deepEqual([data.fullname, data.email, data.revision], ['New', `person-${id}@example.com`, 2])
      const stale = await panel.request('PATCH', `/api/users/${id}`, {
        as: panel.admin,
        body: { fullname: 'Late' },
        headers: { 'if-match': '"1"' },
      })
      assert.deepEqual([stale.status, stale.error.code], [409, 'conflict'])
      assert.equal((await ask('PATCH', `/${id}`, { email: 'keeper@example.com' })).error.code, 'bad_request')
    })

    test('suspending a user ends sessions and keys immediately, until the user is unsuspended', async () => {
      const person = await panel.person()
      const { data } = await ask('POST', `/${person.id}/api-keys`, { name: 'script' })
      assert.deepEqual([await isSignedIn(person.token), await isSignedIn(data.key)], [true, true])
      await ask('PATCH', `/${person.id}`, { is_suspended: true })
      assert.deepEqual([await isSignedIn(person.token), await isSignedIn(data.key)], [false, false])
      await ask('PATCH', `/${person.id}`, { is_suspended: false })
      assert.equal(await isSignedIn(data.key), true)
    })

    test('resetting a password ends all sessions and no key, and only the new one signs in', async () => {
      const person = await panel.person()
      const { data: key } = await ask('POST', `/${person.id}/api-keys`, { name: 'script' })
      const plan = await ask('PATCH', `/${person.id}?plan=1`, { password: 'a fresh password' })
      assert.match(plan.data.summary, /set the password; all sessions of the user end$/)
      assert.deepEqual(plan.data.details, ['1 API key stays valid'])
      assert.ok(await isSignedIn(person.token))
      const { status, text } = await ask('PATCH', `/${person.id}`, { password: 'a fresh password' })
      assert.equal(status, 200)
      assert.deepEqual([await isSignedIn(person.token), await isSignedIn(key.key)], [false, true])
      const signIn = async (password: string) =>
        (await panel.request('POST', '/api/auth/login', { body: { email: person.email, password } })).status
      assert.deepEqual([await signIn(person.password), await signIn('a fresh password')], [401, 200])
      assert.doesNotMatch(text + JSON.stringify([await latest(), panel.log]), /a fresh password/)
    })

    test('resets the password of neither the caller, nor a superuser, nor a user with more permissions', async () => {
      const stronger = await panel.person({ permissions: ['administrative_operations'] })
      const password = 'a fresh password'
      const own = await ask('PATCH', `/${panel.admin.id}`, { password })
      assert.deepEqual([own.status, own.error.code], [400, 'bad_request'])
      assert.match(own.error.message, /^password: is for another user/)
      for (const id of [stronger.id, panel.admin.id]) {
        const { status, error } = await ask('PATCH', `/${id}`, { password }, keeper)
        assert.deepEqual([status, error.code], [403, 'forbidden'])
      }
      assert.ok(await isSignedIn(stronger.token))
      assert.match(
        (await ask('PATCH', `/${stronger.id}`, { password: 'short' })).error.message,
        /^password: /,
      )
      assert.match(
        (await ask('PATCH', `/${stronger.id}`, { password: stronger.email })).error.message,
        /^password: must not be the e-mail address/,
      )
    })

    test('adds a Linux account to a user who has none, once', needsRoot, async () => {
      const { id } = await panel.person()
      const added = await ask('PATCH', `/${id}`, { username: 'later' })
      assert.equal(added.status, 200, added.text)
      assert.ok(accounts.has('later'))
      assert.equal((await ask('GET', `/${id}`)).data.username, 'later')
      assert.equal((await ask('PATCH', `/${id}`, { username: 'later' })).status, 200, 'the same is a no-op')
      const other = await ask('PATCH', `/${id}`, { username: 'latest' })
      assert.deepEqual([other.status, other.error.code], [400, 'bad_request'])
      assert.match(other.error.message, /^username: .* owns the Linux account later, which cannot be changed/)
      assert.ok(!accounts.has('latest'))
    })

    test('adds no account that exists, and none where the host refuses it', needsRoot, async () => {
      const { id } = await panel.person()
      for (const username of ['taken', 'daemon', 'root'])
        assert.match((await ask('PATCH', `/${id}`, { username })).error.message, /^username: /)
      const { status, error } = await ask('PATCH', `/${id}`, { username: 'refused' })
      assert.deepEqual([status, error.code], [500, 'account_failed'])
      assert.equal((await ask('GET', `/${id}`)).data.username, null)
    })

    test('a revoked permission takes effect with the next request', async () => {
      const person = await panel.person({ permissions: ['plugins_management'] })
      assert.equal((await panel.request('GET', '/api/plugins', { as: person })).status, 200)
      await ask('POST', `/${person.id}/permissions`, { permissions: [] })
      assert.equal((await panel.request('GET', '/api/plugins', { as: person })).error.code, 'forbidden')
    })

    for (const [what, end] of [
      ['suspending its user', (person: Person) => ask('PATCH', `/${person.id}`, { is_suspended: true })],
      [
        'a reset password',
        (person: Person) =>
          panel.request('POST', '/api/auth/reset-password', {
            as: panel.admin,
            body: { email: person.email, password: 'another password' },
          }),
      ],
      [
        'a password that another user set',
        (person: Person) => ask('PATCH', `/${person.id}`, { password: 'another password' }),
      ],
      ['signing out', (person: Person) => panel.request('POST', '/api/auth/logout', { as: person })],
    ] as const) {
      test(`${what} ends an open stream immediately`, async () => {
        const person = await panel.person()
        const jobId = await panel.jobs.enqueue({
          kind: 'test.waits',
          input: {},
          ownerId: person.id,
          title: 'Waits',
        })
        const stream = await openStream(panel, `/api/jobs/${jobId}/events`, person)
        await end(person)
        assert.match(await stream.rest, /"type":"error"/)
      })
    }
  })

  describe('API keys', () => {
    test('are returned in full only once, listed by prefix, and work as a credential', async () => {
      const person = await panel.person({ permissions: ['plugins_management'] })
      const { status, data } = await ask('POST', `/${person.id}/api-keys`, { name: 'script' })
      assert.equal(status, 200)
      assert.match(data.key, /^bap_[0-9a-f]{64}$/)
      const { data: me } = await panel.request('GET', '/api/auth/me', { as: data.key })
      assert.equal(me.id, person.id)
      const listed = await ask('GET', `/${person.id}/api-keys`)
      assert.deepEqual(
        [listed.data.keys[0].name, listed.data.keys[0].key_prefix],
        ['script', data.key.slice(0, 12)],
      )
      assert.ok(!listed.text.includes(data.key))
      assert.doesNotMatch(JSON.stringify([await latest(), panel.log]), new RegExp(data.key))
    })

    test('an action by a key is recorded with the key', async () => {
      const person = await panel.person({ permissions: ['plugins_management'] })
      const { data } = await ask('POST', `/${person.id}/api-keys`, { name: 'script' })
      await panel.request('POST', '/api/plugins/uptime/enable', { as: data.key })
      const entry = await latest()
      assert.deepEqual([entry.user_id, entry.key_id], [person.id, data.id])
    })

    test('a deleted key stops working immediately; deleting it again, or another user’s key, changes nothing', async () => {
      const person = await panel.person()
      const { data } = await ask('POST', `/${person.id}/api-keys`, { name: 'script' })
      assert.equal((await ask('DELETE', `/${keeper.id}/api-keys/${data.id}`)).status, 200)
      assert.equal(await isSignedIn(data.key), true)
      for (let time = 0; time < 2; time++)
        assert.equal((await ask('DELETE', `/${person.id}/api-keys/${data.id}`)).status, 200)
      assert.equal(await isSignedIn(data.key), false)
    })

    test('returns db_error without details when the database fails, and logs the error', async () => {
      const broken = await openTestPanel()
      try {
        await broken.store.db.schema.dropTable('api_keys').execute()
        for (const [method, body] of [
          ['GET', undefined],
          ['POST', { name: 'x' }],
        ] as const) {
          const path = `/api/users/${broken.admin.id}/api-keys`
          const { status, error } = await broken.request(method, path, { as: broken.admin, body })
          assert.deepEqual([status, error.code], [500, 'db_error'])
          assert.doesNotMatch(error.message, /api_keys|sql/i)
        }
        assert.equal(broken.log.filter(({ message }) => message === 'a request failed').length, 2)
      } finally {
        await broken.close()
      }
    })

    test('refuses a key without a name, and a repeat with the same Idempotency-Key, whose reply is not stored', async () => {
      assert.match(
        (await ask('POST', `/${keeper.id}/api-keys`, { name: '' })).error.message,
        /^name: must be a name of 1 to 100/,
      )
      const send = () =>
        panel.request('POST', `/api/users/${keeper.id}/api-keys`, {
          as: panel.admin,
          body: { name: 'once' },
          headers: { 'idempotency-key': 'key-once' },
        })
      assert.equal((await send()).status, 200)
      assert.deepEqual([(await send()).status, (await send()).error.code], [409, 'already_done'])
    })
  })
})

/** Opens an event stream on a real connection; `rest` is the remaining output until it ends. */
async function openStream(
  panel: TestPanel,
  path: string,
  person: Person,
): Promise<{ readonly rest: Promise<string> }> {
  if (!panel.app.server.listening) await panel.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = panel.app.server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { port, host: '127.0.0.1', path, headers: { authorization: `Bearer ${person.token}` } },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        resolve({ rest: new Promise((end) => answer.on('end', () => end(text))) })
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import type { Script } from '../../host/testing/scripted-run.ts'

const isRoot = process.getuid?.() === 0
const account = { uid: isRoot ? 1001 : (process.getgid?.() ?? 1001) }

/** `find` finds no log symlink in any home. */
const noLogLinks: Script = ([program]) => (program === 'find' ? { code: 1 } : undefined)

describe('websites', () => {
  let panel: TestPanel
  let ada: Person
  before(async () => {
    panel = await openTestPanel({
      hasNginx: true,
      accounts: new Map([['ada', account]]),
      scripts: [noLogLinks],
    })
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    await panel.person({ username: 'gone' })
  })
  after(() => panel.close())

  /** A website of the store whose file is missing, as after a purge of nginx. */
  const store = (domain: string, username = 'ada') => addWebsite(panel, { domain, userId: ada.id, username })
  const fileOf = (domain: string) => panel.host.files.read(panel.tools.nginx.sitePath(domain))
  const rewrite = (query = '', as = panel.admin) =>
    panel.request('POST', `/api/system/rewrite-all${query}`, { as })

  test('are created by superusers alone while their creation is locked', async () => {
    const path = '/api/settings/website-creation-lock'
    const lock = (locked: boolean, as = panel.admin) => panel.request('POST', path, { as, body: { locked } })
    for (const as of [ada, await panel.person()]) {
      assert.equal((await panel.request('GET', path, { as })).status, 403)
      assert.equal((await lock(true, as)).status, 403)
    }
    assert.equal(
      (await panel.request('POST', path, { as: panel.admin, body: { locked: 'maybe' } })).status,
      400,
    )
    assert.deepEqual((await panel.request('GET', path, { as: panel.admin })).data, { locked: false })
    assert.equal((await lock(true)).status, 200)
    assert.deepEqual((await panel.request('GET', path, { as: panel.admin })).data, { locked: true })
    const create = (as: Person) =>
      panel.request('POST', '/api/websites?plan=1', {
        as,
        body: { domain: 'locked.example.com', type: 'static', username: 'ada' },
      })
    const { status, error } = await create(ada)
    assert.deepEqual([status, error.code], [403, 'forbidden'])
    assert.match(error.message, /locked/)
    assert.equal((await create(panel.admin)).status, 200)
    await lock(false)
    assert.equal((await create(ada)).status, 200)
  })

  test('get no DNS zone from a host that keeps none, nor from a caller who is no superuser', async () => {
    const body = { domain: 'zoned.example.com', type: 'static', username: 'ada', dns_template: 'Any' }
    const create = (as: Person) => panel.request('POST', '/api/websites?plan=1', { as, body })
    const refused = await create(panel.admin)
    assert.deepEqual([refused.status, refused.error.code], [400, 'bad_request'])
    assert.match(refused.error.message, /^dns_template: PowerDNS is not set up/)
    assert.equal((await create(ada)).status, 403)
    for (const as of [panel.admin, ada])
      assert.deepEqual((await panel.request('GET', '/api/websites/dns-templates', { as })).data, {
        templates: [],
      })
    assert.equal(
      (await panel.request('GET', '/api/websites/dns-templates', { as: await panel.person() })).status,
      403,
    )
  })

  test('refuse the name of another website with 400, both as domain and as alias', async () => {
    const [id, body] = [await store('first.example.com'), { aliases: ['second.example.com'] }]
    await store('second.example.com')
    for (const [method, path, sent] of [
      ['PATCH', `/api/websites/${id}`, body],
      ['POST', '/api/websites', { domain: 'second.example.com', type: 'static' }],
    ] as const) {
      const { status, error } = await panel.request(method, path, { as: ada, body: sent })
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, /second\.example\.com/)
    }
    for (const domain of ['first.example.com', 'second.example.com'])
      await panel.store.db.deleteFrom('websites').where('domain', '=', domain).execute()
  })

  test('refuse the host name of the panel with 400, both as domain and as alias', async () => {
    const id = await store('first.example.com')
    await panel.host.files.write('/etc/hosts', `127.0.1.1 panel.example.com ${hostname()}\n`)
    for (const [method, path, sent, field] of [
      ['POST', '/api/websites', { domain: 'Panel.example.com', type: 'static' }, 'domain'],
      ['PATCH', `/api/websites/${id}`, { aliases: ['panel.example.com'] }, 'aliases'],
    ] as const) {
      const { status, error } = await panel.request(method, path, { as: ada, body: sent })
      assert.equal(status, 400)
      assert.equal(error.message, `${field}: panel.example.com is the host name of the panel`)
    }
    const wild = await panel.request('POST', `/api/websites/${id}/aliases`, {
      as: panel.admin,
      body: { name: '*.Example.com' },
    })
    assert.match(
      wild.error.message,
      /\*\.example\.com would serve panel\.example\.com, the host name of the panel/,
    )
    await panel.host.files.remove('/etc/hosts')
    await panel.store.db.deleteFrom('websites').where('id', '=', id).execute()
  })

  test('stores a typed name in lower case and ASCII, without its scheme and path', async () => {
    const body = { domain: ' https://WWW.Bücher.Example/shop ', type: 'static', aliases: ['Bücher.Example/'] }
    const { data } = await panel.request('POST', '/api/websites?plan=1', { as: ada, body })
    assert.equal(data.summary, 'Create website www.xn--bcher-kva.example for ada')
    const id = await store('typed.example.com')
    const added = await panel.request('POST', `/api/websites/${id}/aliases?overwrite=true`, {
      as: ada,
      body: { name: 'HTTPS://Bücher.Example/' },
    })
    assert.deepEqual(added.data.aliases, ['xn--bcher-kva.example'])
    const twice = await panel.request('PATCH', `/api/websites/${id}`, {
      as: ada,
      body: { aliases: ['bücher.example', 'BÜCHER.example/'] },
    })
    assert.match(twice.error.message, /^aliases: must be a list of at most 100 different host names/)
    const path = `/api/websites/${id}/aliases/${encodeURIComponent('Bücher.example')}`
    assert.deepEqual((await panel.request('DELETE', path, { as: ada })).data.aliases, [])
    await panel.store.db.deleteFrom('websites').where('id', '=', id).execute()
  })

  test('have wildcards as aliases, which nginx is told', async () => {
    const id = await store('wild.example.com')
    const path = `/api/websites/${id}/aliases`
    const added = await panel.request('POST', `${path}?overwrite=true`, {
      as: ada,
      body: { name: ' *.Wild.example.com/' },
    })
    assert.deepEqual(added.data?.aliases, ['*.wild.example.com'], added.error?.message)
    assert.match(
      (await fileOf('wild.example.com')) ?? '',
      /server_name wild\.example\.com \*\.wild\.example\.com;/,
    )
    for (const name of ['*.com', '*', 'a.*.example.com', '*.*.example.com', '*example.com'])
      assert.equal((await panel.request('POST', path, { as: ada, body: { name } })).status, 400, name)
    const asDomain = { domain: '*.example.com', type: 'static' }
    assert.equal((await panel.request('POST', '/api/websites', { as: ada, body: asDomain })).status, 400)
    const removed = await panel.request('DELETE', `${path}/*.wild.example.com`, { as: ada })
    assert.deepEqual(removed.data.aliases, [])
    await panel.store.db.deleteFrom('websites').where('id', '=', id).execute()
  })

  test('are listed by state', async () => {
    const ids = await Promise.all(['shown', 'hidden'].map((name) => store(`${name}.example.com`)))
    await panel.store.db
      .updateTable('websites')
      .set({ is_suspended: 1 })
      .where('id', '=', ids[1] ?? 0)
      .execute()
    const domainsIn = async (state: string) => {
      const { data } = await panel.request('GET', `/api/websites?state=${state}`, { as: ada })
      return data.items.map(({ domain }: { domain: string }) => domain)
    }
    assert.deepEqual(await domainsIn('active'), ['shown.example.com'])
    assert.deepEqual(await domainsIn('suspended'), ['hidden.example.com'])
    await panel.store.db.deleteFrom('websites').where('id', 'in', ids).execute()
  })

  test('are listed while others change them', async () => {
    const ids = await Promise.all(['one', 'two', 'three'].map((name) => store(`${name}.example.com`)))
    const change = async (id: number, turn: number) => {
      const body = { aliases: turn % 2 === 0 ? [`alias-${id}.example.com`] : [] }
      return panel.request('PATCH', `/api/websites/${id}?overwrite=true`, { as: ada, body })
    }
    const list = () =>
      panel.request('GET', '/api/websites?per_page=50&username=ada&sort=id&page=1', { as: panel.admin })
    for (let turn = 0; turn < 10; turn++) {
      const changes = ids.map((id) => change(id, turn))
      const lists = await Promise.all(Array.from({ length: 10 }, list))
      for (const { status, data } of lists) assert.deepEqual([status, data?.total], [200, 3])
      for (const { status } of await Promise.all(changes)) assert.equal(status, 200)
    }
    await panel.store.db.deleteFrom('website_aliases').where('website_id', 'in', ids).execute()
    await panel.store.db.deleteFrom('websites').where('id', 'in', ids).execute()
  })

  test('refuses a port in a domain, and names the field', async () => {
    const body = { domain: 'example.com:8080', type: 'static' }
    const { status, error } = await panel.request('POST', '/api/websites', { as: ada, body })
    assert.equal(status, 400)
    assert.match(error.message, /^domain: must be a host name such as www\.example\.com/)
  })

  describe('with missing files', () => {
    test('rewrites missing site files with one reload; a second call is a no-op', async () => {
      await store('a.example.com')
      await store('b.example.com')
      const plan = await rewrite('?plan=1')
      assert.deepEqual(
        [plan.data.summary, plan.data.steps.length, plan.data.steps[1].files.length],
        ['Write the files of 2 of 2 websites again', 2, 2],
      )
      assert.equal(await fileOf('a.example.com'), undefined)
      const formerly = panel.nginx.reloads
      const { status, data } = await rewrite()
      assert.deepEqual([status, data], [200, { written: ['a.example.com', 'b.example.com'], left: [] }])
      assert.equal(panel.nginx.reloads, formerly + 1)
      assert.match((await fileOf('b.example.com')) ?? '', /server_name b\.example\.com;/)
      assert.deepEqual((await rewrite()).data, { written: [], left: [] })
    })

    test('reports a manually edited file and keeps it, unless overwrite is set', async () => {
      await panel.host.files.write(panel.tools.nginx.sitePath('a.example.com'), '# by hand\n')
      await panel.host.files.remove(panel.tools.nginx.sitePath('b.example.com'))
      const left = [{ domain: 'a.example.com', reason: 'Its file was edited by hand' }]
      assert.deepEqual((await rewrite()).data, { written: ['b.example.com'], left })
      assert.equal(await fileOf('a.example.com'), '# by hand\n')
      assert.deepEqual((await rewrite('?overwrite=true')).data, { written: ['a.example.com'], left: [] })
    })

    test('reports a website whose owner has no Linux account any more', async () => {
      const id = await store('gone.example.com', 'gone')
      const left = [
        { domain: 'gone.example.com', reason: 'The Linux account gone does not exist on this host' },
      ]
      assert.deepEqual((await rewrite()).data, { written: [], left })
      assert.equal((await panel.request('DELETE', `/api/websites/${id}`, { as: panel.admin })).status, 200)
    })

    test('keeps the files, with nginx’s message, when nginx refuses them', async () => {
      await store('refused.example.com')
      panel.nginx.refuse('nginx: [emerg] no')
      const { status, error } = await rewrite()
      panel.nginx.refuse(undefined)
      assert.deepEqual([status, error.code], [500, 'rewrite_failed'])
      assert.match(error.message, /\[emerg\] no/)
      assert.equal(await fileOf('refused.example.com'), undefined)
      assert.deepEqual((await rewrite()).data.written, ['refused.example.com'])
    })

    test('only a superuser may rewrite the files', async () => {
      assert.deepEqual(
        [
          (await rewrite('', ada)).error.code,
          (await panel.request('POST', '/api/system/rewrite-all')).error.code,
        ],
        ['forbidden', 'unauthorized'],
      )
      assert.equal((await rewrite('?overwrite=perhaps')).error.code, 'bad_request')
    })

    test(
      'the job that follows the installation of nginx serves them again, with an activity entry that names the caller',
      { skip: !isRoot && 'only root installs programs' },
      async () => {
        await panel.host.files.remove(panel.tools.nginx.sitePath('a.example.com'))
        const { data } = await panel.request('POST', '/api/programs/nginx/install', { as: panel.admin })
        await panel.start()
        const events = async (id: number) =>
          (await panel.request('GET', `/api/jobs/${id}/events`, { as: panel.admin })).text
        assert.match(await events(data.job_id), /"state":"succeeded"/)
        const { id } = (await panel.request('GET', '/api/jobs', { as: panel.admin })).data.items[0]
        assert.match(await events(id), /"state":"succeeded"/)
        const job = await panel.request('GET', `/api/jobs/${id}`, { as: panel.admin })
        assert.deepEqual(job.data.result, { written: ['a.example.com'], left: [] })
        assert.match((await fileOf('a.example.com')) ?? '', /server_name a\.example\.com;/)
        const { items } = (
          await panel.request('GET', '/api/activity?action=programs_serve_again', { as: panel.admin })
        ).data
        assert.deepEqual(
          [items.length, items[0].user_id, items[0].path, items[0].status],
          [1, panel.admin.id, '/api/programs/nginx/install', 'ok'],
        )
      },
    )
  })

  describe('with a manually edited file', () => {
    let id: number
    const path = () => panel.tools.nginx.sitePath('hand.example.com')
    const asked = (way: string, body?: object) => {
      const [method, below] = way.split(' ') as [string, string]
      return panel.request(method, `/api/websites/${id}${below}`, { as: ada, ...(body && { body }) })
    }
    before(async () => void (id = await store('hand.example.com')))
    beforeEach(() => panel.host.files.write(path(), '# by hand\n'))

    const ways = [
      ['POST /suspend'],
      ['POST /unsuspend'],
      ['PATCH ', { aliases: ['www.hand.example.com'] }],
      ['POST /aliases', { name: 'new.hand.example.com' }],
      ['DELETE /aliases/new.hand.example.com'],
      ['DELETE '],
    ] as const
    for (const [way, body] of ways)
      test(`keep it on ${way.trim()}, report it in the plan, and replace it with overwrite=true`, async () => {
        const { status, error } = await asked(way, body)
        assert.deepEqual([status, error.code, error['path']], [409, 'edited_by_hand', path()])
        assert.match(String(error['diff']), /^-# by hand$/m)
        const refused = (await asked(`${way}?plan=1`, body)).data.steps[0]
        assert.match(refused.refused, /hand\.example\.com\.conf was edited by hand/)
        assert.deepEqual(refused.edited_by_hand, [path()])
        const planned = (await asked(`${way}?plan=1&overwrite=true`, body)).data.steps[0]
        assert.deepEqual([planned.refused, planned.edited_by_hand], [undefined, undefined])
        assert.ok(planned.files[0].diff.includes('-# by hand'))
        assert.equal(await panel.host.files.read(path()), '# by hand\n')
        const done = await asked(`${way}?overwrite=true`, body)
        assert.ok(done.status < 300, done.text)
        assert.doesNotMatch((await panel.host.files.read(path())) ?? '', /by hand$/m)
      })
  })
})

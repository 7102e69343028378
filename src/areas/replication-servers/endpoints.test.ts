import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { categories } from '../../core/endpoint.ts'

describe('replication servers', () => {
  let panel: TestPanel
  before(async () => void (panel = await openTestPanel()))
  after(() => panel.close())

  const base = '/api/replication-servers'
  const draft = { name: 'second', host: 'panel2.example.com', api_key: 'bap_secret_of_there' }
  const ask = (method: string, path: string, body?: unknown, as = panel.admin) =>
    panel.request(method, `${base}${path}`, { as, ...(body !== undefined && { body }) })
  const must = async (method: string, path: string, body?: unknown) => {
    const { status, data, text } = await ask(method, path, body)
    assert.ok(status < 300, text)
    return data
  }
  const add = async (change: object = {}): Promise<number> =>
    (await must('POST', '', { ...draft, ...change })).id
  const remove = (id: number) => must('DELETE', `/${id}`)

  it('are added, listed, read, changed and deleted, and never show their key', async () => {
    const added = await must('POST', '', draft)
    assert.deepEqual(
      [added.name, added.port, added.status, added.enabled, added.public_key, added.last_check],
      ['second', 2087, 'active', true, '', null],
    )
    assert.deepEqual(await must('PUT', `/${added.id}`, { name: 'other', port: 0, host: '' }), {
      success: true,
    })
    const read = await must('GET', `/${added.id}`)
    assert.deepEqual([read.name, read.host, read.port], ['other', draft.host, 2087])
    const { data, text } = await ask('GET', '')
    assert.deepEqual(data, [read])
    assert.ok(!text.includes(draft.api_key))
    const entries = await panel.request('GET', '/api/activity', { as: panel.admin })
    assert.ok(!entries.text.includes(draft.api_key))
    assert.deepEqual(await remove(added.id), { success: true })
    assert.deepEqual(await must('GET', ''), [])
  })

  it('have a host as people type it', async () => {
    for (const [host, stored] of [
      [' Panel3.Example.com. ', 'panel3.example.com'],
      ['https://panel4.example.com/', 'panel4.example.com'],
      ['192.0.2.7', '192.0.2.7'],
      ['2001:DB8::7', '2001:db8::7'],
    ] as const) {
      const id = await add({ host })
      assert.equal((await must('GET', `/${id}`)).host, stored)
      await remove(id)
    }
  })

  it('refuse bad input, naming the field', async () => {
    const id = await add()
    for (const [change, message] of [
      [{ name: ' ' }, /^name: must not be empty/],
      [{ name: undefined }, /^name: is required/],
      [{ name: 'x', host: 'https://x:2087/' }, /^host: must be a host name/],
      [{ name: 'x', host: '-oProxyCommand=id' }, /^host: must be a host name/],
      [{ name: 'x', host: '$(id)' }, /^host: must be a host name/],
      ...['999.1.1.1', '1.2.3', '1.2.3.4.5', '256', 'panel.0x7f', '010.1.1.256', ':::', 'fe80::1%eth0'].map(
        (host) => [{ name: 'x', host }, /^host: must be a host name/] as const,
      ),
      [{ name: 'x', port: 0 }, /^port: must be a port/],
      [{ name: 'x', port: 65_536 }, /^port: must be a port/],
      [{ name: 'x', port: 1.5 }, /^port: must be a port/],
      [{ name: 'x', api_key: 'a b' }, /^api_key: must be a key/],
      [{ name: 'x', api_key: 'a\r\nx: y' }, /^api_key: must be a key/],
      [{ name: 'x', api_key: '' }, /^api_key/],
      [{ name: 'x', public_key: 'short' }, /^public_key: must be the SHA-256/],
      [{ host: 'another.example.com' }, /^name: there is a server second/],
      [{ name: 'x' }, /^host: the server second has this host and port/],
    ] as const) {
      const { status, error } = await ask('POST', '', { ...draft, ...change })
      assert.equal(status, 400, JSON.stringify(change))
      assert.match(error.message, message)
    }
    for (const body of [{}, { name: '', host: '', port: 0, api_key: '' }, { api_key: '••••' }]) {
      const { status, error } = await ask('PUT', `/${id}`, body)
      assert.deepEqual([status, error.message], [400, 'No fields to update'])
    }
    for (const body of [{ port: -1 }, { host: 'a b' }, { host: '999.1.1.1' }, { name: 7 }, { api_key: 'ü' }])
      assert.equal((await ask('PUT', `/${id}`, body)).status, 400, JSON.stringify(body))
    await remove(id)
  })

  it('are changed, switched and deleted only at the revision that If-Match names', async () => {
    const id = await add()
    const { headers, data } = await ask('GET', `/${id}`)
    assert.deepEqual([headers['etag'], data.revision], ['"1"', 1])
    await must('PUT', `/${id}`, { name: 'renamed' })
    const at = (revision: string, method: string, path: string, body?: object) =>
      panel.request(method, `${base}${path}`, {
        ...{ as: panel.admin, headers: { 'if-match': revision } },
        ...(body && { body }),
      })
    for (const [method, path, body] of [
      ['PUT', `/${id}`, { name: 'late' }],
      ['POST', `/${id}/toggle`, { enabled: false }],
      ['DELETE', `/${id}`, undefined],
    ] as const) {
      const { status, error } = await at('"1"', method, path, body)
      assert.equal(status, 409, `${method} ${path}`)
      assert.match(error.message, /^If-Match: this is at revision "2" by now/)
    }
    const { name, enabled } = await must('GET', `/${id}`)
    assert.deepEqual([name, enabled], ['renamed', true])
    assert.equal((await at('"2"', 'PUT', `/${id}`, { name: 'in time' })).status, 200)
    assert.equal((await at('*', 'PUT', `/${id}`, { name: 'at any' })).status, 200)
    await remove(id)
  })

  it('forget the public key with a host, another port or an API key, and keep it otherwise', async () => {
    const public_key = `${'A'.repeat(43)}=`
    const id = await add({ public_key })
    const keyAfter = async (edit: object) => {
      await must('PUT', `/${id}`, edit)
      return (await must('GET', `/${id}`)).public_key
    }
    assert.equal(await keyAfter({ name: 'renamed', port: 2087, api_key: '••••' }), public_key)
    assert.equal(await keyAfter({ port: 2088 }), '')
    assert.equal(await keyAfter({ host: '192.0.2.7', public_key }), public_key)
    assert.equal(await keyAfter({ host: '192.0.2.7' }), '')
    assert.equal(await keyAfter({ public_key }), public_key)
    assert.equal(await keyAfter({ api_key: 'bap_another' }), '')
    await remove(id)
  })

  it('have every known category, of which unknown ones are refused or ignored', async () => {
    const id = await add()
    const none = categories.map((category) => ({ category, enabled: false }))
    assert.equal(none.length, 21)
    assert.deepEqual(await must('GET', `/${id}/categories`), none)
    const body = { categories: { dns: true, users: true, nonsense: true, __proto__x: false } }
    assert.deepEqual(await must('PUT', `/${id}/categories`, body), { success: true, updated: 2 })
    assert.deepEqual(await must('PATCH', `/${id}/categories/users`, { enabled: false }), {
      ...{ success: true, category: 'users', enabled: false },
    })
    const enabled = (await must('GET', `/${id}/categories`)).filter((each: any) => each.enabled)
    assert.deepEqual(enabled, [{ category: 'dns', enabled: true }])
    const unknown = await ask('PATCH', `/${id}/categories/nonsense`, { enabled: true })
    assert.deepEqual([unknown.status, unknown.error.message], [400, 'Unknown category'])
    for (const categoriesOf of [[], 'dns', { dns: 'yes' }, null])
      assert.equal((await ask('PUT', `/${id}/categories`, { categories: categoriesOf })).status, 400)
    for (const bad of [{ enabled: 'yes' }, { enabled: null }])
      assert.equal((await ask('PATCH', `/${id}/categories/dns`, bad)).status, 400)
    await remove(id)
  })

  it('are switched', async () => {
    const id = await add()
    const off = await must('POST', `/${id}/toggle`, { enabled: false })
    assert.deepEqual(off, { success: true, status: 'disabled' })
    assert.deepEqual((await must('GET', `/${id}`)).enabled, false)
    const on = await must('POST', `/${id}/toggle`, { enabled: true })
    assert.deepEqual(on, { success: true, status: 'active' })
    assert.equal((await ask('POST', `/${id}/toggle`, { enabled: 1 })).status, 400)
    assert.equal((await must('POST', `/${id}/toggle`, {})).status, 'disabled')
    await remove(id)
  })

  it('are tested, and keep why they could not be reached', async () => {
    const id = await add({ host: '127.0.0.1', port: 1 })
    const tested = await must('POST', `/${id}/test`)
    assert.equal(tested.status, 'error')
    assert.match(tested.message, /refused/)
    const { status, message, last_check } = await must('GET', `/${id}`)
    assert.deepEqual([status, message], ['error', tested.message])
    assert.notEqual(last_check, null)
    assert.equal((await must('POST', `/${id}/test`, { trust: true })).public_key, '')
    assert.equal((await ask('POST', `/${id}/test`, { trust: 'yes' })).status, 400)
    await remove(id)
  })

  it('have a log, which is narrowed and cleared', async () => {
    const id = await add()
    await must('POST', `/${id}/toggle`, { enabled: false })
    await must('PUT', `/${id}/categories`, { categories: { websites: true, users: true } })
    const person = { email: 'log@example.com', fullname: 'x', password: 'correct horse battery' }
    assert.equal((await panel.request('POST', '/api/users', { as: panel.admin, body: person })).status, 201)
    const log = await must('GET', `/${id}/action-log`)
    assert.deepEqual(
      log.map((each: any) => [each.category, each.method, each.endpoint, each.status]),
      [
        ['users', 'POST', '/api/users', 'pending'],
        ['websites', 'POST', '/api/settings/website-creation-lock', 'pending'],
      ],
    )
    assert.ok(!JSON.stringify(log).includes(person.password))
    assert.match(log[0].request_body, /log@example.com/)
    const count = async (query: string) => (await must('GET', `/${id}/action-log?${query}`)).length
    assert.equal(await count('limit=1'), 1)
    for (const limit of [0, -1, 501]) assert.equal(await count(`limit=${limit}`), 2)
    assert.equal(await count('category=users'), 1)
    assert.equal(await count('category=nonsense'), 0)
    assert.equal(await count('status=failed'), 0)
    assert.equal((await ask('GET', `/${id}/action-log?limit=x`)).status, 400)
    assert.deepEqual(await must('GET', '/999/action-log'), [])
    for (const each of [id, 999])
      assert.deepEqual(await must('DELETE', `/${each}/action-log`), { success: true, deleted: 0 })
    const kept = await ask('DELETE', `/${id}`)
    assert.equal(kept.error.message, 'Cannot delete: 1 replications use this server')
    await must('PATCH', `/${id}/categories/websites`, { enabled: false })
    const plan = await must('DELETE', `/${id}?plan=1`)
    assert.match(JSON.stringify(plan), /3 waiting requests are lost: the server never gets them/)
    const clearing = await must('DELETE', `/${id}/action-log?all=true&plan=1`)
    assert.match(JSON.stringify(clearing), /3 waiting requests are lost: the server never gets them/)
    const finished = await must('DELETE', `/${id}/action-log?plan=1`)
    assert.doesNotMatch(JSON.stringify(finished), /lost/)
    assert.deepEqual(await must('DELETE', `/${id}/action-log?all=true`), { success: true, deleted: 3 })
    await remove(id)
  })

  it('find the row of a name', async () => {
    const { id, email } = await panel.person()
    const path = (noun: string, name: string) =>
      `/references?${new URLSearchParams({ noun, name }).toString()}`
    assert.deepEqual(await must('GET', path('user', email)), { id })
    for (const [noun, name] of [
      ['user', 'nobody@example.com'],
      ['website', 'nowhere.example'],
      ['nonsense', 'x'],
    ] as const)
      assert.equal((await ask('GET', path(noun, name))).status, 404, noun)
    for (const query of ['', '?noun=user', '?noun=&name=x'])
      assert.equal((await ask('GET', `/references${query}`)).status, 400, query)
  })

  it('that are unknown are not found', async () => {
    for (const [method, path, body, message] of [
      ['GET', '/999', undefined, 'Server not found'],
      ['PUT', '/999', { name: 'x' }, 'Server not found'],
      ['DELETE', '/999', undefined, 'Server not found'],
      ['POST', '/999/test', undefined, 'Server not found'],
      ['POST', '/999/toggle', { enabled: true }, 'Server not found'],
      ['GET', '/999/categories', undefined, 'Server not found'],
      ['PUT', '/999/categories', { categories: {} }, 'Server not found'],
      ['PATCH', '/999/categories/dns', { enabled: true }, 'Server not found'],
      ['POST', '/999/action-log/1/retry', undefined, 'Action not found'],
    ] as const) {
      const { status, error } = await ask(method, path, body)
      assert.deepEqual([status, error.message], [404, message], `${method} ${path}`)
    }
    for (const actionId of ['x', '-1', '1e3', '99999999999999999'])
      assert.equal((await ask('POST', `/1/action-log/${actionId}/retry`)).status, 400, actionId)
  })

  it('are for those who manage plugins, and references for superusers', async () => {
    const keeper = await panel.person({ permissions: ['plugins_management'] })
    const stranger = await panel.person({ permissions: ['administrative_operations'] })
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', { ...draft, name: 'kept' }],
      ['GET', '/999/action-log', undefined],
    ] as const) {
      assert.ok((await ask(method, path, body, keeper)).status < 300, path)
      assert.equal((await ask(method, path, body, stranger)).status, 403, path)
      assert.equal((await panel.request(method, `${base}${path}`)).status, 401)
    }
    for (const [method, path, body] of [
      ['GET', '/1', undefined],
      ['PUT', '/1', { name: 'x' }],
      ['DELETE', '/1', undefined],
      ['POST', '/1/test', undefined],
      ['POST', '/1/toggle', { enabled: true }],
      ['GET', '/1/categories', undefined],
      ['PUT', '/1/categories', { categories: {} }],
      ['PATCH', '/1/categories/dns', { enabled: true }],
      ['DELETE', '/1/action-log', undefined],
      ['POST', '/1/action-log/1/retry', undefined],
    ] as const)
      assert.equal((await ask(method, path, body, stranger)).status, 403, path)
    const asked = await ask('GET', '/references?noun=user&name=x', undefined, keeper)
    assert.equal(asked.status, 403)
    const own = (await must('GET', ''))[0].id
    const moved = await ask('PUT', `/${own}`, { host: 'mine.example.com' }, keeper)
    assert.match(moved.error.message, /^api_key: must be entered/)
    assert.equal(
      (await ask('PUT', `/${own}`, { host: 'mine.example.com', api_key: 'bap_x' }, keeper)).status,
      200,
    )
    const inside = await ask('POST', '', { ...draft, name: 'in', host: '127.0.0.1' }, keeper)
    const tested = await ask('POST', `/${inside.data.id}/test`, undefined, keeper)
    assert.match(tested.data.message, /only superusers may reach internal addresses/)
  })
})

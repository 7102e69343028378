import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { insertRow } from '../../store/rows.ts'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'

describe('a name below that of another owner', () => {
  let panel: TestPanel
  let ada: Person
  let bob: Person
  let adasSite: number
  let bobsSite: number
  before(async () => {
    const accounts = new Map([
      ['ada', { uid: 1001 }],
      ['bob', { uid: 1002 }],
    ])
    panel = await openTestPanel({ hasNginx: true, accounts })
    const permissions = ['websites_management'] as const
    ada = await panel.person({ username: 'ada', permissions })
    bob = await panel.person({ username: 'bob', permissions })
    adasSite = await addWebsite(panel, { domain: 'example.com', userId: ada.id })
    const alias = insertRow('website_aliases', { name: 'example.net', website_id: adasSite })
    await panel.store.transaction((tx) => panel.store.write(tx, [alias]))
    bobsSite = await addWebsite(panel, { domain: 'bob.example.org', userId: bob.id, username: 'bob' })
  })
  after(() => panel.close())

  const create = (as: Person, domain: string, username: string) =>
    panel.request('POST', '/api/websites?plan=1', { as, body: { domain, type: 'static', username } })

  test('is refused as a domain, and as an alias', async () => {
    for (const domain of ['login.example.com', 'a.b.example.net']) {
      const { status, error } = await create(bob, domain, 'bob')
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, /^domain: \S+ is below example\.(com|net), which belongs to another owner/)
    }
    const alias = await panel.request('POST', `/api/websites/${bobsSite}/aliases`, {
      as: bob,
      body: { name: 'login.example.com' },
    })
    assert.deepEqual([alias.status, alias.error.code], [400, 'bad_request'])
  })

  test('is refused as the domain of a move and of a clone', async () => {
    const body = { domain: 'login.example.com' }
    const move = await panel.request('PATCH', `/api/websites/${bobsSite}`, { as: bob, body })
    const clone = await panel.request('POST', `/api/websites/${bobsSite}/clone`, { as: bob, body })
    assert.deepEqual([move.status, clone.status], [400, 400])
  })

  test('is refused as a wildcard, and where it is served by a wildcard', async () => {
    const add = (as: Person, id: number, name: string) =>
      panel.request('POST', `/api/websites/${id}/aliases?plan=1`, { as, body: { name } })
    const wildcard = insertRow('website_aliases', { name: '*.example.info', website_id: adasSite })
    await panel.store.transaction((tx) => panel.store.write(tx, [wildcard]))
    for (const [name, reason] of [
      ['*.example.com', 'is below example.com'],
      ['*.shop.example.com', 'is below example.com'],
      ['a.b.example.info', 'is below *.example.info'],
      ['*.b.example.info', 'is below *.example.info'],
    ] as const) {
      const { status, error } = await add(bob, bobsSite, name)
      assert.deepEqual([status, error?.code], [400, 'bad_request'], name)
      assert.ok(error.message.includes(`${name} ${reason}, which belongs`), error.message)
    }
    const above = await add(ada, adasSite, '*.example.org')
    assert.match(above.error.message, /\*\.example\.org is above bob\.example\.org, which belongs to another/)
    assert.equal((await add(panel.admin, adasSite, '*.example.org')).status, 200)
    assert.equal((await add(ada, adasSite, '*.example.com')).status, 200)
    assert.equal((await create(bob, 'example.info', 'bob')).status, 200) // no wildcard serves its own base
  })

  test('is taken from others where a superuser shares the names below that website', async () => {
    const share = (as: Person, shared_subdomains: boolean) =>
      panel.request('PATCH', `/api/websites/${adasSite}?overwrite=true`, { as, body: { shared_subdomains } })
    const refused = await share(ada, true)
    assert.deepEqual([refused.status, refused.error.code], [403, 'forbidden'])
    assert.match(refused.error.message, /^shared_subdomains: only a superuser/)
    assert.equal((await share(panel.admin, true)).data.shared_subdomains, true)
    assert.equal((await create(bob, 'login.example.com', 'bob')).status, 200)
    assert.equal((await create(bob, 'a.b.example.net', 'bob')).status, 200)
    assert.equal((await share(ada, true)).status, 200) // what is so already
    assert.equal((await share(panel.admin, false)).status, 200)
    assert.equal((await create(bob, 'login.example.com', 'bob')).status, 400)
  })

  test('is taken from its own owner and from a superuser; others are not concerned', async () => {
    assert.equal((await create(ada, 'login.example.com', 'ada')).status, 200)
    assert.equal((await create(panel.admin, 'login.example.com', 'bob')).status, 200)
    assert.equal((await create(bob, 'notexample.com', 'bob')).status, 200)
  })
})

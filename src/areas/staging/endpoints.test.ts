import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { stagingCopies } from './store.ts'

describe('staging copies', () => {
  let panel: TestPanel
  let ada: Person
  let [live, copy, proxy, orphan] = [0, 0, 0, 0]
  before(async () => {
    panel = await openTestPanel({ hasNginx: true, accounts: new Map([['ada', { uid: 1001 }]]) })
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    const add = (domain: string, type: 'static' | 'proxy' = 'static') =>
      addWebsite(panel, { domain, userId: ada.id, type })
    live = await add('live.example.com')
    copy = await add('stage.example.com')
    proxy = await add('proxy.example.com', 'proxy')
    orphan = await add('orphan.example.com')
    const row = (website_id: number, origin_id: number | null) =>
      stagingCopies.insert(
        stagingCopies.row({
          ...{ website_id, origin_id, user_id: ada.id },
          ...{ created_at: '2026-11-29T10:00:00.000Z', pushed_at: null },
        }),
      )
    await panel.store.transaction((tx) => panel.store.write(tx, [row(copy, live), row(orphan, null)]))
  })
  after(() => panel.close())

  const ask = (method: string, path: string, body?: unknown, as = ada) =>
    panel.request(method, `/api/${path}`, { as, ...(body !== undefined && { body }) })

  test('are listed with their origins, to their owner', async () => {
    const { status, data, text } = await ask('GET', 'staging?sort=website_id')
    assert.equal(status, 200, text)
    assert.deepEqual(
      data.items.map((each: any) => [each.domain, each.origin_domain, each.url, each.pushed_at]),
      [
        ['stage.example.com', 'live.example.com', 'http://stage.example.com/', null],
        ['orphan.example.com', null, 'http://orphan.example.com/', null],
      ],
    )
    const bob = await panel.person({ permissions: ['websites_management'] })
    assert.equal((await ask('GET', 'staging', undefined, bob)).data.total, 0)
    assert.equal((await ask('GET', 'staging', undefined, await panel.person())).status, 403)
  })

  test('are shown at their origin, and their origin at them', async () => {
    const ofLive = (await ask('GET', `websites/${live}/staging`)).data
    assert.deepEqual([ofLive.copy, ofLive.copies.length, ofLive.copies[0].website_id], [null, 1, copy])
    const ofCopy = (await ask('GET', `websites/${copy}/staging`)).data
    assert.deepEqual([ofCopy.copy.origin_id, ofCopy.copies], [live, []])
  })

  test('are refused with the field that is wrong', async () => {
    for (const [path, body, status, code, message] of [
      [`${live}/staging`, { domain: '../x' }, 400, 'bad_request', /^domain: /],
      [`${live}/staging`, {}, 400, 'bad_request', /^domain: /],
      [`${live}/staging`, { domain: 'a.example.com', visitor: 'a b' }, 400, 'bad_request', /^visitor: /],
      [
        `${live}/staging`,
        { domain: 'a.example.com', visitor_password: 'short' },
        400,
        'bad_request',
        /^visitor_password: /,
      ],
      [`${proxy}/staging`, { domain: 'a.example.com' }, 400, 'bad_request', /forwards to an upstream/],
      [`${copy}/staging`, { domain: 'a.example.com' }, 400, 'bad_request', /is a staging copy itself/],
      [`${live}/staging/push`, {}, 404, 'not_found', /^id: live\.example\.com is no staging copy/],
      [`${orphan}/staging/push`, {}, 409, 'conflict', /^id: the origin of orphan\.example\.com was deleted/],
      [`${copy}/staging/push`, { parts: 'all' }, 400, 'bad_request', /^parts: /],
      [`${copy}/staging/push`, { kept_tables: ['a`b'] }, 400, 'bad_request', /^kept_tables\.0: /],
      [`${copy}/staging/push`, { kept_paths: ['../x'] }, 400, 'bad_request', /^kept_paths\.0: /],
      [`${copy}/staging/push`, { kept_paths: ['/etc'] }, 400, 'bad_request', /^kept_paths\.0: /],
    ] as const) {
      const answer = await ask('POST', `websites/${path}`, body)
      assert.deepEqual([answer.status, answer.error?.code], [status, code], `${path} ${answer.text}`)
      assert.match(answer.error.message, message)
    }
    const answer = await ask('DELETE', `websites/${live}/staging`)
    assert.deepEqual([answer.status, answer.error?.code], [404, 'not_found'])
  })

  test('are for the owner of the website', async () => {
    const bob = await panel.person({ permissions: ['websites_management'] })
    for (const [method, path, body] of [
      ['GET', 'staging', undefined],
      ['POST', 'staging', { domain: 'a.example.com' }],
      ['POST', 'staging/push', {}],
      ['DELETE', 'staging', undefined],
    ] as const)
      assert.equal(
        (await ask(method, `websites/${copy}/${path}`, body, bob)).status,
        404,
        `${method} ${path}`,
      )
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { type Asked, openTestPanel, type Person, type TestPanel } from '../../../../test/support/panel.ts'
import { type StandInEngine, standInEngine } from '../../../tools/docker/testing/stand-in-engine.ts'
import { scriptIptables, standInFilter } from '../../../tools/docker/testing/stand-in-filter.ts'

const registry = 'registry.example.com:5000'
const password = 'a long secret of the registry'

describe('credentials of registries', () => {
  let panel: TestPanel
  let engine: StandInEngine
  let keeper: Person
  before(async () => {
    engine = standInEngine()
    engine.accounts.set(registry, { username: 'deploy', password })
    for (const image of ['app:1', 'app:2', 'app:3', 'app:4']) engine.registry.add(`${registry}/${image}`)
    engine.registry.add('busybox:1')
    const host = ([program]: readonly string[]) => {
      if (program === 'dockerd') return { stdout: 'Docker version 20.10.24+dfsg1\n' }
      return program === 'find' ? {} : undefined
    }
    panel = await openTestPanel({
      docker: { connection: engine.connection, connectionWith: engine.connectionWith },
      scripts: [host, scriptIptables(standInFilter())],
    })
    await panel.start()
    keeper = await panel.person({ permissions: ['administrative_operations'] })
  })
  after(() => panel.close())

  const ask = (method: string, path: string, asked: Asked = {}) =>
    panel.request(method, `/api/containers${path}`, { as: panel.admin, ...asked })
  const at = (name: string) => `/registries/${encodeURIComponent(name)}`
  const set = (name: string, body: object, asked: Asked = {}) => ask('PUT', at(name), { body, ...asked })
  const create = (image: string, name: string) => ask('POST', '/containers', { body: { image, name } })

  test('are named where a registry asks for them, and the panel has none', async () => {
    const { status, error } = await create(`${registry}/app:1`, 'app')
    assert.deepEqual([status, error?.code], [500, 'container_error'])
    assert.match(
      error?.message ?? '',
      /no basic auth credentials \(the panel has no credentials for registry/,
    )
    assert.deepEqual([...engine.containers.keys()], [])
  })

  test('are set, shown masked, and stored sealed', async () => {
    const made = await set('Registry.Example.com:5000', { username: 'deploy', password: 'wrong' })
    assert.deepEqual([made.status, made.data.registry, made.data.username], [200, registry, 'deploy'])
    await set(registry, { username: 'deploy', password })
    const { data, text } = await ask('GET', '/registries')
    assert.deepEqual(data, [{ registry, username: 'deploy', password: 'a lo••••••••stry' }])
    assert.doesNotMatch(text, new RegExp(password))
    const rows = await panel.store.db.selectFrom('container_registries').selectAll().execute()
    assert.doesNotMatch(JSON.stringify(rows), new RegExp(password))
    assert.doesNotMatch(inspect(panel.log, { depth: 8 }), new RegExp(password))
  })

  test('keep the password where the masked one comes back', async () => {
    const kept = await set(registry, { username: 'deploy', password: 'a lo••••••••stry' })
    assert.equal(kept.status, 200)
    assert.equal((await create(`${registry}/app:1`, 'app')).status, 200)
  })

  test('are sent with each pull: of a creation, an edit, an upgrade and an image, and of no other registry', async () => {
    const edited = await ask('PUT', '/containers/app', { body: { image: `${registry}/app:2` } })
    assert.equal(edited.status, 200)
    const upgraded = await ask('POST', '/containers/app/upgrade', { body: { image: `${registry}/app:3` } })
    assert.equal(upgraded.status, 200)
    const pulled = await ask('POST', '/images/pull', { body: { image: `${registry}/app:4` } })
    assert.match(pulled.text, /"type":"done"/)
    const plan = await ask('POST', '/images/pull?plan=1', { body: { image: `${registry}/app:4` } })
    assert.match(plan.text, /It is downloaded from registry\.example\.com:5000 as deploy/)
    assert.doesNotMatch(plan.text, new RegExp(password))
    const open = await ask('POST', '/images/pull?plan=1', { body: { image: 'busybox:1' } })
    assert.match(open.text, /It is downloaded from its registry/)
  })

  test('that the registry refuses are named in the message', async () => {
    await set(registry, { username: 'other', password: 'wrong' })
    const { text } = await ask('POST', '/images/pull', { body: { image: `${registry}/app:4` } })
    assert.match(text, /"type":"error","message":"[^"]*\(registry\.example\.com:5000 was asked as other\)/)
  })

  test('are refused with the field that is wrong, and for other users', async () => {
    const draft = { username: 'deploy', password: 'first' }
    const cases: readonly (readonly [string, object, RegExp])[] = [
      ['team', draft, /^registry: team is not the host of a registry/],
      ['registry.example.com:70000', draft, /^registry: .*70000/],
      ['-v', draft, /registry/],
      ['a/b', draft, /registry/],
      ['other.example.com', { ...draft, password: '' }, /password/],
      ['other.example.com', { ...draft, password: '••••••••' }, /^password: the panel has none of other/],
      ['other.example.com', { ...draft, username: 'a:b' }, /username/],
      ['other.example.com', { username: 'a' }, /password/],
    ]
    for (const [name, body, message] of cases) {
      const { status, error } = await set(name, body)
      assert.deepEqual([status, error?.code], [400, 'bad_request'], name)
      assert.match(error?.message ?? '', message)
    }
    assert.equal((await ask('GET', '/registries', { as: keeper })).status, 403)
    assert.equal((await set(registry, draft, { as: keeper })).status, 403)
    assert.equal((await ask('DELETE', at(registry), { as: keeper })).status, 403)
  })

  test('are removed, and then no longer sent', async () => {
    assert.equal((await ask('DELETE', at(registry))).status, 200)
    assert.deepEqual((await ask('GET', '/registries')).data, [])
    const again = await ask('DELETE', at(registry))
    assert.deepEqual([again.status, again.error?.code], [404, 'not_found'])
    const { text } = await ask('POST', '/images/pull', { body: { image: `${registry}/app:4` } })
    assert.match(text, /the panel has no credentials for registry\.example\.com:5000/)
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../../test/support/panel.ts'
import { scriptIptables, standInFilter } from '../../../tools/docker/testing/stand-in-filter.ts'
import { type StandInEngine, standInEngine } from '../../../tools/docker/testing/stand-in-engine.ts'

describe('images, the catalog and stacks', () => {
  let panel: TestPanel
  let engine: StandInEngine
  before(async () => {
    engine = standInEngine()
    engine.images.set('old:1', {})
    for (const image of ['nginx:1.27.5-alpine', 'redis:7.4.3-alpine', 'busybox:1']) engine.registry.add(image)
    const dockerd = ([program]: readonly string[]) =>
      program === 'dockerd' ? { stdout: 'Docker version 20.10.24+dfsg1\n' } : undefined
    panel = await openTestPanel({
      docker: { connection: engine.connection },
      scripts: [dockerd, scriptIptables(standInFilter())],
    })
    await panel.start()
  })
  after(() => panel.close())

  const ask = (method: string, path: string, body?: object) =>
    panel.request(method, `/api/containers${path}`, { as: panel.admin, ...(body && { body }) })

  test('an app is launched with its secrets shown once; a name that is taken is refused', async () => {
    const { data } = await ask('POST', '/catalog/launch', { app_id: 'redis', name: 'cache' })
    assert.deepEqual([data.name, data.opened_ports, data.ports], ['cache', [], ['127.0.0.1:6380:6379']])
    assert.match(data.credentials[0].value, /^[A-Za-z0-9]{32}$/)
    const again = await ask('POST', '/catalog/launch', { app_id: 'redis', name: 'cache' })
    assert.deepEqual([again.status, again.error?.code], [409, 'name_taken'])
    const unknown = await ask('POST', '/catalog/launch', { app_id: 'none' })
    assert.deepEqual([unknown.status, unknown.error?.code], [404, 'not_found'])
    const port = await ask('POST', '/catalog/launch', { app_id: 'nginx', ports: ['80'] })
    assert.match(port.error?.message ?? '', /^ports\.0: 80 is not a published port/)
  })

  test('a stack is launched on its own network, stopped, and removed with its volumes', async () => {
    const { data } = await ask('POST', '/stacks/launch', { stack_id: 'redis-replica', name: 'pair' })
    assert.deepEqual(
      data.services.map(({ name }: { readonly name: string }) => name),
      ['pair-primary', 'pair-replica'],
    )
    assert.deepEqual([...engine.networks.keys()], ['pair'])
    const [stack] = (await ask('GET', '/stacks')).data
    assert.deepEqual([stack.instance, stack.state], ['pair', 'running'])
    await ask('POST', '/stacks/pair/stop')
    assert.equal((await ask('GET', '/stacks')).data[0].state, 'stopped')
    const vague = await ask('POST', '/stacks/pair/remove', { volumes: 'all' })
    assert.deepEqual([vague.status, vague.error?.code], [400, 'bad_request'])
    assert.equal((await ask('POST', '/stacks/pair/remove', { volumes: true })).status, 200)
    assert.deepEqual([[...engine.networks.keys()], engine.volumes.has('pair-primary')], [[], false])
    assert.equal((await ask('POST', '/stacks/pair/start')).error?.code, 'not_found')
  })

  test('an image is pulled as an event stream, and removed unless a container uses it', async () => {
    const pulled = await ask('POST', '/images/pull', { image: 'busybox:1' })
    assert.match(pulled.text, /"type":"progress"[\s\S]*"type":"done","message":"Pulled busybox:1"/)
    const missing = await ask('POST', '/images/pull', { image: 'none:1' })
    assert.match(missing.text, /"type":"error","message":"[^"]*manifest unknown/)
    assert.equal((await ask('POST', '/images/pull', { image: 'a/../b' })).status, 400)
    const used = await ask('DELETE', `/images/${encodeURIComponent('redis:7.4.3-alpine')}`)
    assert.deepEqual([used.status, used.error?.code], [409, 'image_in_use'])
    assert.match(used.error?.message ?? '', /used by the container cache/)
    assert.equal((await ask('DELETE', `/images/${encodeURIComponent('busybox:1')}`)).status, 200)
    assert.equal((await ask('DELETE', `/images/${encodeURIComponent('busybox:1')}`)).status, 404)
  })

  test('a clean-up frees what its plan names, and refuses values that it does not know', async () => {
    const wrong = await ask('POST', '/prune', { images: 'all' })
    assert.deepEqual([wrong.status, wrong.error?.code], [400, 'bad_request'])
    assert.match(wrong.error?.message ?? '', /^images: .*untagged.*unused.*none/)
    const plan = await ask('POST', '/prune?plan=1', { images: 'unused' })
    assert.match(plan.text, /image old:1/)
    assert.ok(engine.images.has('old:1'))
    const { data } = await ask('POST', '/prune', { images: 'unused' })
    assert.deepEqual(
      data.removed.map(({ name }: { readonly name: string }) => name),
      ['old:1'],
    )
    assert.equal(data.freed_bytes, 1000)
    assert.deepEqual((await ask('POST', '/prune')).data, { removed: [], freed_bytes: 0 })
  })
})

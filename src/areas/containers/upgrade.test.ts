import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Asked, openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { type StandInEngine, standInEngine } from '../../tools/docker/testing/stand-in-engine.ts'
import { scriptIptables, standInFilter } from '../../tools/docker/testing/stand-in-filter.ts'

describe('upgrades of containers and stacks', () => {
  let panel: TestPanel
  let engine: StandInEngine
  let keeper: Person
  before(async () => {
    engine = standInEngine()
    for (const image of ['nginx:1', 'redis:7.4.3-alpine']) engine.images.set(image, {})
    for (const image of ['nginx:2', 'nginx:3', 'redis:8', 'redis:9', 'redis:7.4.3-alpine'])
      engine.registry.add(image)
    engine.failing.add('nginx:3').add('redis:9')
    const host = ([program, folder = '']: readonly string[]) => {
      if (program === 'dockerd') return { stdout: 'Docker version 20.10.24+dfsg1\n' }
      const volume = engine.volumes.get(folder.split('/').at(-2) ?? '')
      if (program !== 'find' || volume === undefined) return undefined
      volume.content = ''
      return {}
    }
    panel = await openTestPanel({
      docker: { connection: engine.connection },
      scripts: [host, scriptIptables(standInFilter())],
    })
    await panel.start()
    keeper = await panel.person({ permissions: ['administrative_operations'] })
    engine.volumes.set('rows', { labels: {}, content: 'a row' })
    const draft = { image: 'nginx:1', name: 'notes', volumes: ['rows:/data'], env: ['A=first'] }
    await ask('POST', '/containers', { body: { ...draft, ports: ['8090:80'] } })
    await ask('POST', '/stacks/launch', { body: { stack_id: 'redis-replica', name: 'pair' } })
  })
  after(() => panel.close())

  const ask = (method: string, path: string, asked: Asked = {}) =>
    panel.request(method, `/api/containers${path}`, { as: panel.admin, ...asked })
  const named = (name: string) => [...engine.containers.values()].find((each) => each.name === name)
  const upgrade = (id: string, body: object = {}) => ask('POST', `/containers/${id}/upgrade`, { body })
  const upgradeStack = (id: string, body: object = {}) => ask('POST', `/stacks/${id}/upgrade`, { body })

  test('replace the image, keep the rest, and make a backup first', async () => {
    const former = named('notes')
    const { status, data } = await upgrade('notes', { image: 'nginx:2' })
    assert.equal(status, 200)
    const { image, env, binds, ports } = named('notes')!
    assert.deepEqual([image, env, binds, ports], ['nginx:2', ['A=first'], ['rows:/data'], former?.ports])
    assert.deepEqual(
      [data.id, data.image, data.former_image, data.opened_ports],
      [named('notes')?.id, 'nginx:2', 'nginx:1', ['8090/tcp']],
    )
    assert.ok(engine.images.has(data.backup.image))
    assert.deepEqual(data.backup.volume_archives, ['volume1.tar'])
    assert.equal(engine.volumes.get('rows')?.content, 'a row')
    assert.equal(engine.containers.get(former?.id ?? '')?.status, 'exited')
  })

  test('let the former container run again on the content of the backup where the new one does not work', async () => {
    const former = named('notes')?.id
    const { status, error } = await upgrade('notes', { image: 'nginx:3' })
    assert.deepEqual([status, error?.code], [500, 'container_error'])
    assert.match(error?.message ?? '', /ended with exit status 2/)
    assert.deepEqual([named('notes')?.id, named('notes')?.status], [former, 'running'])
    assert.equal(engine.volumes.get('rows')?.content, 'a row')
    assert.equal(engine.images.has('nginx:3'), false)
  })

  test('name what is wrong', async () => {
    const cases: readonly (readonly [Promise<{ status: number; error?: any }>, number, string, RegExp])[] = [
      [upgrade('notes'), 400, 'bad_request', /^image: is required, as notes was not launched/],
      [upgrade('notes', { image: 'a@sha256:' }), 400, 'bad_request', /^image: a@sha256:/],
      [upgrade('notes', { image: '-v' }), 400, 'bad_request', /image/],
      [upgrade('none', { image: 'nginx:2' }), 404, 'not_found', /none/],
      [upgrade('pair-primary'), 409, 'conflict', /is the image of the catalog/],
      [upgrade('notes', { image: 'missing:1' }), 500, 'container_error', /manifest unknown/],
      [upgradeStack('pair'), 409, 'conflict', /pair runs the images of the catalog/],
      [upgradeStack('none'), 404, 'not_found', /none/],
      [upgradeStack('pair', { services: [] }), 400, 'bad_request', /services/],
      [
        upgradeStack('pair', { services: [{ key: 'web', image: 'a:1' }] }),
        400,
        'bad_request',
        /no service "web"/,
      ],
      [
        upgradeStack('pair', { services: [{ key: 'primary', image: 'a/../b' }] }),
        400,
        'bad_request',
        /^services\.0\.image/,
      ],
    ]
    for (const [asked, status, code, message] of cases) {
      const { error, ...answer } = await asked
      assert.deepEqual([answer.status, error?.code], [status, code], String(message))
      assert.match(error?.message ?? '', message)
    }
    for (const path of ['/containers/notes/upgrade', '/stacks/pair/upgrade'])
      assert.equal((await ask('POST', path, { as: keeper, body: {} })).status, 403)
  })

  test('replace the services of a stack, which stay parts of it with their names, checks and passwords', async () => {
    const former = named('pair-replica')
    const services = ['replica', 'primary'].map((key) => ({ key, image: 'redis:8' }))
    const { status, data } = await upgradeStack('pair', { services })
    assert.equal(status, 200)
    assert.deepEqual(
      data.services.map(({ key, image }: { key: string; image: string }) => [key, image]),
      [
        ['primary', 'redis:8'],
        ['replica', 'redis:8'],
      ],
    )
    const replica = named('pair-replica')
    assert.notEqual(replica?.id, former?.id)
    assert.deepEqual([replica?.aliases, replica?.env], [former?.aliases, former?.env])
    assert.deepEqual(replica?.healthCheck, former?.healthCheck)
    const [stack] = (await ask('GET', '/stacks')).data
    assert.deepEqual([stack.state, stack.services.length], ['running', 2])
  })

  test('let the whole former stack run again where one service does not work', async () => {
    const ids = () => ['pair-primary', 'pair-replica'].map((name) => named(name)?.id)
    const former = ids()
    const services = [
      { key: 'primary', image: 'redis:8' },
      { key: 'replica', image: 'redis:9' },
    ]
    const { error } = await upgradeStack('pair', { services })
    assert.equal(error?.code, 'container_error')
    assert.deepEqual(ids(), former)
    assert.equal((await ask('GET', '/stacks')).data[0].state, 'running')
  })

  test('leave nothing of a stack that is removed later', async () => {
    assert.equal((await ask('POST', '/stacks/pair/remove', { body: { volumes: true } })).status, 200)
    assert.deepEqual(
      [...engine.containers.values()].filter(({ name }) => name.startsWith('pair')),
      [],
    )
  })
})

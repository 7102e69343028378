import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Asked, openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { scriptIptables, standInFilter } from '../../tools/docker/testing/stand-in-filter.ts'
import { type StandInEngine, standInEngine } from '../../tools/docker/testing/stand-in-engine.ts'

describe('containers', () => {
  let panel: TestPanel
  let keeper: Person
  let engine: StandInEngine
  before(async () => {
    engine = standInEngine()
    engine.images.set('nginx:1', {})
    engine.registry.add('redis:7')
    engine.failing.add('no-such-program')
    const dockerd = ([program]: readonly string[]) =>
      program === 'dockerd' ? { stdout: 'Docker version 20.10.24+dfsg1\n' } : undefined
    panel = await openTestPanel({
      docker: { connection: engine.connection },
      scripts: [dockerd, scriptIptables(standInFilter())],
    })
    await panel.start()
    keeper = await panel.person({ permissions: ['administrative_operations'] })
  })
  after(() => panel.close())

  const ask = (method: string, path: string, asked: Asked = {}) =>
    panel.request(method, `/api/containers${path}`, { as: panel.admin, ...asked })
  const create = (body: object) => ask('POST', '/containers', { body })
  const web = { image: 'nginx:1', name: 'web', ports: ['8080:80', '127.0.0.1:8081:81/udp'], env: ['A=first'] }
  const named = (name: string) => [...engine.containers.values()].find((each) => each.name === name)

  test('are for superusers alone', async () => {
    for (const path of ['/containers', '/status', '/backups', '/stats'])
      assert.equal((await ask('GET', path, { as: keeper })).status, 403)
    assert.equal((await ask('POST', '/containers', { as: keeper, body: web })).status, 403)
  })

  test('are created and started, with an image that is pulled, and listed with who can reach them', async () => {
    const made = await create(web)
    assert.deepEqual([made.status, made.data.opened_ports], [200, ['8080/tcp']])
    assert.deepEqual([named('web')?.id, named('web')?.status], [made.data.id, 'running'])
    await create({ image: 'redis:7', name: 'cache' })
    assert.ok(engine.images.has('redis:7'))
    const { data } = await ask('GET', '/containers')
    const [first] = data
    assert.deepEqual(
      [first.name, first.state, first.health, first.ports],
      ['web', 'running', 'healthy', '0.0.0.0:8080->80/tcp, 127.0.0.1:8081->81/udp'],
    )
    assert.deepEqual(
      first.published.map(({ reach }: { reach: string }) => reach),
      ['anyone', 'host'],
    )
  })

  test('are refused with the field and the value that is wrong', async () => {
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ name: '-v' }, /name/],
      [{ name: 'x' }, /name: x is too short/],
      [{ image: 'a@sha256:' }, /image: a@sha256:/],
      [{ image: 'a/../b' }, /image: a\/\.\.\/b/],
      [{ image: '../a' }, /image/],
      [{ ports: ['0'] }, /ports\.0: 0 /],
      [{ ports: ['70000:80'] }, /ports\.0: 70000:80/],
      [{ ports: ['0:80'] }, /ports\.0: 0:80/],
      [{ ports: ['::1:80:80'] }, /ports\.0: ::1:80:80/],
      [{ ports: ['80-90:80'] }, /ports\.0: 80-90:80/],
      [{ ports: ['80:80/sctp'] }, /ports\.0: 80:80\/sctp/],
      [{ ports: ['80:80', '80:81'] }, /ports: :80\/tcp is published twice/],
      [{ env: ['A=b\nC=d'] }, /env\.0: the value of A/],
      [{ env: ['1A=b'] }, /env\.0: must be KEY=value/],
      [{ env: ['B=••••••••'] }, /env\.0: .* no value of B/],
      [{ volumes: ['x:/y:rw,z'] }, /volumes\.0: x:\/y:rw,z/],
      [{ volumes: ['pages:y'] }, /volumes\.0: pages:y: y is not an absolute path/],
      [{ volumes: ['/srv/../etc:/y'] }, /volumes\.0: .*\.\./],
      [{ volumes: ['pages:/'] }, /volumes\.0: .*cannot be mounted over/],
      [{ restart_policy: 'sometimes' }, /restart_policy/],
      [{ memory_mb: 1 }, /memory_mb: 1 is below/],
      [{ network: 'host', ports: ['80:80'] }, /ports: .*network of the host/],
    ]
    for (const [change, message] of cases) {
      const { status, error } = await create({ image: 'nginx:1', name: 'bad', ...change })
      assert.equal(status, 400, JSON.stringify(change))
      assert.equal(error?.code, 'bad_request')
      assert.match(error?.message ?? '', message)
    }
    assert.equal(named('bad'), undefined)
  })

  test('are refused as invalid where the engine refuses a setting', async () => {
    const { status, error } = await create({ image: 'nginx:1', name: 'bad', cpus: 1000 })
    assert.deepEqual([status, error?.code], [400, 'bad_request'])
    assert.match(error?.message ?? '', /^Range of CPUs is from 0\.01 to 2\.00/)
    assert.equal(named('bad'), undefined)
  })

  test('with power over the host need a confirmation of each dangerous option', async () => {
    const draft = {
      image: 'nginx:1',
      name: 'powerful',
      volumes: ['/:/host', '/var/run/docker.sock:/docker.sock', '/srv/pages:/pages'],
      privileged: true,
      network: 'host',
    }
    const refused = await create({ ...draft, confirm: ['/'] })
    assert.equal(refused.status, 400)
    assert.match(refused.error?.message ?? '', /: \/var\/run\/docker\.sock, privileged, host\./)
    const confirm = ['/', '/var/run/docker.sock', 'privileged', 'host']
    assert.equal((await create({ ...draft, confirm })).status, 200)
  })

  test('leave nothing behind where the image is missing, or the engine refuses', async () => {
    const missing = await create({ image: 'no-such:1', name: 'none' })
    assert.deepEqual([missing.status, missing.error?.code], [500, 'container_error'])
    assert.match(missing.error?.message ?? '', /manifest unknown/)
    const taken = await create(web)
    assert.equal(taken.status, 400)
    assert.equal([...engine.containers.values()].filter(({ name }) => name === 'web').length, 1)
  })

  test('show their settings and what the engine knows with masked values', async () => {
    const { data } = await ask('GET', '/containers/web/config')
    assert.deepEqual(data.ports, ['8080:80', '127.0.0.1:8081:81/udp'])
    assert.deepEqual(data.env, ['A=••••••••'])
    const inspected = await ask('GET', '/containers/web/inspect')
    assert.equal(inspected.data.inspection.HostConfig.NetworkMode, 'bridge')
    assert.doesNotMatch(JSON.stringify(inspected.data), /first/)
  })

  test('are replaced by an edit, which keeps masked values; the former stays until the next one', async () => {
    const former = named('web')?.id
    const edited = await ask('PUT', '/containers/web', { body: { ...web, env: ['A=••••••••', 'B=second'] } })
    assert.equal(edited.status, 200)
    assert.notEqual(edited.data.id, former)
    assert.deepEqual(named('web')?.env, ['A=first', 'B=second'])
    const { data } = await ask('GET', '/containers')
    const kept = data.find(({ id }: { id: string }) => id === former)
    assert.deepEqual([kept.state, kept.replaced_by], ['exited', 'web'])
    await ask('PUT', '/containers/web', { body: web })
    assert.equal(engine.containers.has(former ?? ''), false)
  })

  test('run again where the edit does not work', async () => {
    const former = named('web')?.id
    const failed = await ask('PUT', '/containers/web', { body: { ...web, command: 'no-such-program' } })
    assert.equal(failed.error?.code, 'container_error')
    assert.match(failed.error?.message ?? '', /ended with exit status 2 after its start: out\nfailure/)
    assert.deepEqual([named('web')?.id, named('web')?.status], [former, 'running'])
    const { data } = await ask('GET', '/containers/web/history')
    assert.equal(data[0].summary, 'Edit the container web')
    assert.match(data[0].error, /exit status 2/)
  })

  test('are started, stopped and removed', async () => {
    for (const [action, status] of [
      ['pause', 'paused'],
      ['unpause', 'running'],
      ['restart', 'running'],
      ['kill', 'exited'],
      ['start', 'running'],
      ['stop', 'exited'],
    ]) {
      assert.equal((await ask('POST', `/containers/cache/${action}`)).status, 200)
      assert.equal(named('cache')?.status, status)
    }
    assert.equal((await ask('POST', '/containers/cache/explode')).status, 400)
    const running = await ask('DELETE', '/containers/web')
    assert.deepEqual([running.status, running.error?.code], [500, 'container_error'])
    assert.match(running.error?.message ?? '', /running: stop it first/)
    assert.equal((await ask('DELETE', '/containers/cache')).status, 200)
    assert.equal(named('cache'), undefined)
    assert.equal((await ask('DELETE', '/containers/cache')).error?.code, 'container_error')
  })

  test('are cloned, backed up and restored with their volumes', async () => {
    engine.volumes.set('rows', { labels: {}, content: 'a row' })
    await create({ image: 'nginx:1', name: 'notes', volumes: ['rows:/data'], ports: ['8090:80'] })
    const clone = await ask('POST', '/containers/notes/clone', { body: { name: 'copy', ports: ['8091:80'] } })
    assert.deepEqual(clone.data.opened_ports, ['8091/tcp'])
    assert.equal(engine.volumes.get('copy-volume1')?.content, 'a row')
    assert.equal((await ask('POST', '/containers/notes/clone', { body: { name: '-x' } })).status, 400)
    const { data: backup } = await ask('POST', '/containers/notes/backup')
    assert.equal(named('notes')?.status, 'running')
    const { data: listed } = await ask('GET', '/backups')
    assert.equal(listed.images[0].image, backup.image)
    assert.deepEqual(listed.volume_archives, [{ folder: backup.folder, name: 'volume1.tar' }])
    const { image, folder } = backup
    const restored = await ask('POST', '/backups/restore', { body: { image, folder, name: 'again' } })
    assert.deepEqual(restored.data.opened_ports, ['8090/tcp'])
    assert.equal(engine.volumes.get('again-volume1')?.content, 'a row')
    for (const body of [
      { image: 'nginx:1', folder, name: 'again2' },
      { image, folder: 'none', name: 'again2' },
    ])
      assert.equal((await ask('POST', '/backups/restore', { body })).error?.code, 'not_found')
  })

  test('print their log, and tell what they use', async () => {
    const log = await ask('GET', '/containers/web/logs?follow=false&search=FAIL')
    assert.match(log.text, /"stream":"stderr","message":"failure"/)
    assert.doesNotMatch(log.text, /"message":"out"/)
    assert.equal((await ask('GET', '/stats?id=none')).status, 404)
  })

  test('take a command as words, and a name before the digits of an id', async () => {
    await create({ image: 'nginx:1', name: 'said', command: 'sh -c  "echo hi"' })
    assert.deepEqual(named('said')?.command, ['sh', '-c', '"echo', 'hi"'])
    const digits = (named('said')?.id ?? '').slice(0, 12)
    await create({ image: 'nginx:1', name: digits, env: ['OWN=1'] })
    assert.equal((await ask('GET', `/containers/${digits}/config`)).data.name, digits)
    assert.equal((await ask('DELETE', `/containers/${digits}?force=1`)).status, 200)
    assert.equal(named(digits), undefined)
    assert.notEqual(named('said'), undefined)
  })

  test('answer 404 where there is no such container', async () => {
    for (const [method, path, body] of [
      ['GET', 'config'],
      ['GET', 'inspect'],
      ['GET', 'history'],
      ['GET', 'logs'],
      ['POST', 'start'],
      ['POST', 'backup'],
      ['POST', 'clone', { name: 'copy2' }],
    ] as const) {
      const { status, error } = await ask(method, `/containers/none/${path}`, body && { body })
      assert.deepEqual([status, error?.code], [404, 'not_found'], path)
    }
    assert.equal((await ask('PUT', '/containers/none', { body: web })).error?.code, 'not_found')
  })

  test('have an engine with a state, and ports that the firewall opens', async () => {
    const { data } = await ask('GET', '/status')
    assert.deepEqual(
      [data.installed, data.running, data.version, data.api_version],
      [true, true, '20.10.24', '1.41'],
    )
  })
})

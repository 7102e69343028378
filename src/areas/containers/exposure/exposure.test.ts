import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Asked, openTestPanel, type Person, type TestPanel } from '../../../../test/support/panel.ts'
import { type StandInEngine, standInEngine } from '../../../tools/docker/testing/stand-in-engine.ts'
import {
  type StandInFilter,
  scriptIptables,
  standInFilter,
} from '../../../tools/docker/testing/stand-in-filter.ts'
import { parseTable } from '../../../tools/docker/exposure/rules.ts'
import { reachOf } from './exposure.ts'

describe('the exposure of published ports', () => {
  let panel: TestPanel
  let engine: StandInEngine
  let filter: StandInFilter
  let keeper: Person
  let isMissing = false
  before(async () => {
    engine = standInEngine()
    filter = standInFilter()
    engine.images.set('nginx:1', {})
    const dockerd = ([program]: readonly string[]) =>
      program === 'dockerd' ? { stdout: 'Docker version 20.10.24+dfsg1\n' } : undefined
    panel = await openTestPanel({
      docker: { connection: engine.connection },
      scripts: [
        dockerd,
        ([program = '']) => (isMissing && /^ip6?tables/.test(program) ? { code: 127 } : undefined),
        scriptIptables(filter),
      ],
    })
    await panel.start()
    keeper = await panel.person({ permissions: ['administrative_operations'] })
    const ports = ['8080:80', '127.0.0.1:8081:81', '192.0.2.1:8082:82']
    await panel.request('POST', '/api/containers/containers', {
      as: panel.admin,
      body: { image: 'nginx:1', name: 'web', ports },
    })
  })
  after(() => panel.close())

  const ask = (method: string, asked: Asked = {}) =>
    panel.request(method, '/api/containers/exposure', { as: panel.admin, ...asked })
  const limit = (body: object) => ask('PUT', { body })
  const reaches = async () =>
    Object.fromEntries(
      (await ask('GET')).data.ports.map((each: { port: number; reach: string; sources: string[] }) => [
        each.port,
        [each.reach, ...each.sources],
      ]),
    )

  test('tells who reaches each port, by its address alone where nothing filters', async () => {
    assert.deepEqual(await reaches(), { 8080: ['anyone'], 8081: ['host'], 8082: ['address'] })
    const { data } = await ask('GET')
    assert.deepEqual([data.is_filtered, data.host_network, data.unread_rules], [true, [], []])
    assert.equal(data.ports[0].port, 8080, 'the widest reach is first')
  })

  test('sets no limit where iptables is missing, and changes nothing', async (t) => {
    isMissing = true
    t.after(() => (isMissing = false))
    const { status, error } = await limit({ port: 8080, sources: [] })
    assert.deepEqual([status, error.code], [500, 'container_error'])
    assert.match(error.message, /iptables .*Nothing was changed/)
  })

  test('follows limits, which are kept and lifted', async () => {
    const sources = ['198.51.100.0/24', '192.0.2.7', '2001:DB8:0::/32']
    const set = await limit({ port: 8080, sources })
    assert.deepEqual(set.data, {
      port: 8080,
      protocol: 'tcp',
      sources: ['198.51.100.0/24', '192.0.2.7', '2001:db8::/32'],
    })
    assert.deepEqual((await reaches())[8080], ['sources', '192.0.2.7', '198.51.100.0/24'])
    const [container] = (await panel.request('GET', '/api/containers/containers', { as: panel.admin })).data
    assert.deepEqual(container.published[0].reach, 'sources')
    assert.match(filter.ipv6.get('HOSTREEVE-PORTS')?.join('\n') ?? '', /-s 2001:db8::\/32 .*--dport 8080/)
    await limit({ port: 8082, sources: [] })
    assert.deepEqual((await reaches())[8082], ['host'])
    await limit({ port: 8080, sources: null })
    await limit({ port: 8082, sources: null })
    assert.deepEqual(await reaches(), { 8080: ['anyone'], 8081: ['host'], 8082: ['address'] })
  })

  test('refuses sources and ports that are none', async () => {
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ port: 8080, sources: ['somewhere'] }, /sources/],
      [{ port: 8080, sources: ['192.0.2.1', '300.1.1.1'] }, /^sources\.1: 300\.1\.1\.1 is not/],
      [{ port: 8080, sources: ['192.0.2.1/24'] }, /^sources\.0: .*after its prefix/],
      [{ port: 8080, sources: ['0.0.0.0/0'] }, /^sources\.0: .*null/],
      [{ port: 8080, sources: ['-j'] }, /sources/],
      [{ port: 0, sources: [] }, /port/],
      [{ port: 70_000, sources: [] }, /port/],
      [{ port: 8080, protocol: 'sctp', sources: [] }, /protocol/],
      [{ port: 8080 }, /sources/],
    ]
    for (const [body, message] of cases) {
      const { status, error } = await limit(body)
      assert.deepEqual([status, error?.code], [400, 'bad_request'], JSON.stringify(body))
      assert.match(error?.message ?? '', message)
    }
    for (const method of ['GET', 'PUT'])
      assert.equal(
        (await ask(method, { as: keeper, ...(method === 'PUT' && { body: { port: 1, sources: [] } }) }))
          .status,
        403,
      )
    assert.equal(filter.ipv4.get('HOSTREEVE-PORTS')?.length, 0)
  })

  test('counts the rules of the firewall over IPv6, whose packets this host takes itself', () => {
    const port = { IP: '::', PublicPort: 8080, PrivatePort: 80, Type: 'tcp' }
    const ipv6 = parseTable('-P INPUT ACCEPT\n')
    const reach = (input: Parameters<typeof reachOf>[1]['input']) =>
      reachOf(port, { ipv4: undefined, ipv6, input })
    const rule = { admits: true, protocol: 'tcp', ports: ['8000-8090'], sources: [], family: 'any' } as const
    assert.equal(reach(undefined).isOpen, true)
    assert.equal(reach([]).isOpen, false)
    assert.equal(reach([rule]).isOpen, true)
    assert.equal(reach([{ ...rule, family: 'ipv4' }]).isOpen, false)
    assert.deepEqual(reach([{ ...rule, sources: ['192.0.2.1', '2001:db8::/32'] }]).allowed, ['2001:db8::/32'])
    assert.equal(reach([{ ...rule, admits: false }, rule]).isOpen, false)
  })
})

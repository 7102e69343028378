import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { proveStep } from '../../../../test/support/step-suite.ts'
import { stepRun } from '../../../../test/support/step-run.ts'
import { type ApiConnection, apiStep } from './api-step.ts'

interface Machine {
  readonly zones: Map<string, string>
  readonly connection: ApiConnection
}

/** A program with an API: zones with their records, over HTTP on loopback. */
async function machine(t: TestContext): Promise<Machine> {
  const zones = new Map<string, string>()
  const server = createServer(async (request, answer) => {
    const name = (request.url ?? '').slice('/zones/'.length)
    const body = Buffer.concat(await request.toArray()).toString()
    const reply = (status: number, value: object) => answer.writeHead(status).end(JSON.stringify(value))
    if (request.method === 'PUT') {
      const { records } = JSON.parse(body)
      if (records.includes('bad')) return reply(422, { error: 'bad is no record' })
      zones.set(name, records)
    }
    const records = zones.get(name)
    if (request.method === 'DELETE') zones.delete(name)
    return records === undefined ? reply(404, {}) : reply(200, { records })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send: ApiConnection['send'] = async ({ method, path, body }) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = { connection: 'close' }
    const reply = await fetch(`${origin}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(60_000),
      ...sent,
    })
    return { status: reply.status, body: await reply.json() }
  }
  return { zones, connection: { send } }
}

interface ZoneArgs {
  readonly zone: string
  /** Null removes it. */
  readonly records: string | null
}

const zone = (connection: ApiConnection) =>
  apiStep<ZoneArgs, string>(connection, {
    name: 'dns.zone',
    title: ({ zone }) => `Zone ${zone}`,
    object: ({ zone }) => zone,
    read: ({ zone }) => ({ method: 'GET', path: `/zones/${zone}` }),
    stateOf: (body) => (body as { records: string }).records,
    wanted: ({ records }) => records ?? undefined,
    write: ({ zone }, records) =>
      records === undefined
        ? [{ method: 'DELETE', path: `/zones/${zone}` }]
        : [{ method: 'PUT', path: `/zones/${zone}`, body: { records } }],
    show: (records) => records,
  })

proveStep<Machine>('dns.zone', {
  machine,
  open: ({ connection }, door) => zone(door(connection)),
  look: ({ zones }) => Object.fromEntries(zones),
  cases: {
    made: {
      args: { zone: 'a.test', records: 'A 192.0.2.1' },
      wanted: { 'a.test': 'A 192.0.2.1' },
      handEdit: ({ zones }) => zones.set('a.test', 'by hand'),
    },
    changed: {
      args: { zone: 'a.test', records: 'A 192.0.2.1' },
      arrange: ({ zones }) => zones.set('a.test', 'A 192.0.2.9'),
      wanted: { 'a.test': 'A 192.0.2.1' },
      handEdit: ({ zones }) => zones.set('a.test', 'by hand'),
    },
    removed: {
      args: { zone: 'a.test', records: null },
      arrange: ({ zones }) => zones.set('a.test', 'A 192.0.2.9'),
      wanted: {},
      handEdit: ({ zones }) => zones.set('a.test', 'by hand'),
    },
  },
})

test("a step over an API shows the object before and after, and passes on the program's refusal", async (t) => {
  const { connection, zones } = await machine(t)
  const kind = zone(connection)
  const args = { zone: 'a.test', records: 'bad' }
  assert.deepEqual(await kind.preview?.(args, undefined), {
    objects: [{ name: 'a.test', before: null, after: 'bad' }],
  })
  await assert.rejects(kind.act(args, stepRun(await kind.observe(args))), {
    message: 'PUT /zones/a.test: status 422: {"error":"bad is no record"}',
  })
  assert.deepEqual([...zones], [])
})

import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import Type from 'typebox'
import { openTestPanel, type TestPanel } from '../../test/support/panel.ts'
import { area } from './area.ts'
import { change, step } from './change.ts'
import { local } from './endpoint.ts'
import { superuser } from './guard.ts'
import { singleLock } from './lock.ts'
import { confirmable, untilConfirmed } from './reply.ts'
import { stateStep } from './steps.ts'
import { areas } from '../app/areas.ts'
import type { Deps } from '../areas/deps.ts'

const doorLock = singleLock('door')

/** A step on a file that a program can bring back. */
const doorStep = (path: string) =>
  stateStep({
    name: 'doors.close',
    plan: () => ({ title: 'Close the door' }),
    read: async (_args: null) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    wanted: () => 'closed',
    write: async (_args, state) =>
      state === undefined ? rmSync(path, { force: true }) : writeFileSync(path, state),
    armed: () => ['rm', '-f', path],
  })

interface Context {
  readonly doors: {
    readonly provisional: Deps['executor']['provisional']
    readonly close: ReturnType<typeof doorStep>
  }
}
const declaring = area.of<Context>()

const closeDoor = declaring.endpoint({
  method: 'POST',
  path: '/close',
  summary: 'Close the door',
  effect: 'changes',
  category: local('a door of this host'),
  body: Type.Object({ seconds: Type.Integer({ minimum: 1, maximum: 60, description: 'To confirm' }) }),
  reply: confirmable,
  run: ({ doors, body }) =>
    change({
      summary: 'Close the door',
      provisional: body.seconds,
      locks: [doorLock],
      steps: [step(doors.close, null)],
      reply: untilConfirmed,
    }),
})

const doors = area({
  name: 'doors',
  title: 'Doors',
  base: '/doors',
  guard: superuser,
  errors: 'coded',
  endpoints: {
    closeDoor,
    ...declaring.confirmation({ lock: doorLock, on: ({ doors: { provisional } }) => provisional }),
  },
  steps: ({ doors: { close } }: Context) => [close],
  open: ({ executor, host }: Deps): Context => ({
    doors: { provisional: executor.provisional, close: doorStep(`${host.files.root}/door`) },
  }),
})

describe('the confirmation of an area', { timeout: 300_000 }, () => {
  let panel: TestPanel
  before(async () => {
    panel = await openTestPanel({ areas: [...areas, doors], programs: ['systemd-run'] })
    await panel.app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => panel.close())

  const door = () => (existsSync(`${panel.root}/door`) ? readFileSync(`${panel.root}/door`, 'utf8') : 'open')
  const post = (path: string, agent: Agent | undefined, body: object = {}) =>
    send(panel, { path: `/api/doors${path}`, agent, body })

  it('answers with its deadline, refuses an old connection and closes it, and takes a new one', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const closed = await post('/close', agent, { seconds: 60 })
    const { change_id: id, confirm_before } = closed.json.data
    assert.deepEqual([closed.status, door()], [200, 'closed'])
    assert.ok(Date.parse(confirm_before) > Date.now())
    const other = await post('/close', agent, { seconds: 60 })
    assert.deepEqual([other.status, other.json.error.code, other.json.error.change_id], [409, 'conflict', id])
    const local = await post(`/changes/${id}/confirm`, agent)
    assert.deepEqual([local.status, local.json.error.code], [409, 'connection_unproven'])
    const old = await post(`/changes/${id}/confirm?unproven=true`, agent)
    assert.deepEqual([old.status, old.json.error.code, old.connection], [409, 'conflict', 'close'])
    const inside = await panel.request('POST', `/api/doors/changes/${id}/confirm`, { as: panel.admin })
    assert.equal(inside.status, 409, 'a connection of unknown age proves nothing')
    const fresh = await post(`/changes/${id}/confirm?unproven=true`, agent)
    assert.deepEqual([fresh.status, fresh.json.data], [200, { success: true }])
    const late = await post(`/changes/${id}/confirm?unproven=true`, undefined)
    assert.deepEqual([late.status, late.json.error.code, door()], [409, 'conflict', 'closed'])
    agent.destroy()
    rmSync(`${panel.root}/door`)
  })

  it('undoes a change before its deadline', async () => {
    const { json } = await post('/close', undefined, { seconds: 60 })
    assert.equal(door(), 'closed')
    const cancelled = await post(`/changes/${json.data.change_id}/cancel`, undefined)
    assert.deepEqual([cancelled.status, door()], [200, 'open'])
  })

  it('knows only provisional changes of its area', async () => {
    const { status, json } = await post('/changes/999999/confirm', undefined)
    assert.deepEqual([status, json.error.code], [404, 'not_found'])
  })
})

interface Sent {
  readonly path: string
  readonly agent: Agent | undefined
  readonly body: object
}

/** Sends a request over a real connection. */
function send(panel: TestPanel, { path, agent, body }: Sent) {
  const { port } = panel.app.server.address() as AddressInfo
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    connection: unknown
    json: any
  }>()
  const headers = { authorization: `Bearer ${panel.admin.token}`, 'content-type': 'application/json' }
  const asked = request({ port, host: '127.0.0.1', method: 'POST', path, agent, headers }, (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    answer.on('end', () =>
      resolve({
        status: answer.statusCode ?? 0,
        connection: answer.headers.connection,
        json: JSON.parse(text),
      }),
    )
  })
  asked.on('error', reject).end(JSON.stringify(body))
  return promise
}

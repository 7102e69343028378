import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { ask } from '../../../test/support/request.ts'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { permissionSlugs } from '../../core/permissions.ts'
import { NotFound } from '../../core/problem.ts'
import { type HttpSurface, openHttp } from '../../surfaces/http/server.ts'
import type { Route } from '../../surfaces/routes.ts'
import { openAgent } from './testing/agent.ts'

const reached = 'the run was reached'
const keys = 4

/** Keys drawn at random, each tried on every route; the panel that they reach has no effects. */
describe('an agent', () => {
  let panel: TestPanel
  let surface: HttpSurface
  let loopback: Server
  before(async () => {
    panel = await openTestPanel({ isMeasured: true })
    const { gates, routes } = panel
    surface = await openHttp({
      routes: routes.map(withoutEffect),
      gates,
      trustedProxies: [],
      accessLog: gates.log,
    })
    loopback = createServer(surface.listener)
    await new Promise<void>((resolve) => loopback.listen(0, '127.0.0.1', resolve))
    panel.ownCalls.reachAt(() => (loopback.address() as AddressInfo).port)
  })
  after(async () => {
    await surface.stop(0, [loopback])
    await panel.close()
  })

  test('reaches no route that its owner could not call, or that its key does not allow', async () => {
    const draw = randomOf(20_261_128)
    const some = () => permissionSlugs.filter(() => draw() < 0.5)
    const wrong: string[] = []
    let admitted = 0
    for (let count = 0; count < keys; count += 1) {
      const isAdmin = draw() < 0.3
      const owner = await panel.person({ isAdmin, permissions: some() })
      const scopes = draw() < 0.5 ? [] : some()
      const isReadOnly = draw() < 0.5
      const agent = await openAgent(panel, owner.id, { scopes, read_only: isReadOnly })
      for (const route of panel.routes) {
        const { method } = route.endpoint
        const path = route.path.replaceAll(/\{\w+\}/g, '1')
        const { text } = await agent.call('api_call', { method, path })
        if (!text.includes(reached)) continue
        admitted += 1
        const direct = await ask(surface.app, method, path, { as: owner, ip: '10.97.0.1' })
        const scope = route.guard.kind === 'permission' ? route.guard.slug : 'administrative_operations'
        const isWrong =
          !direct.text.includes(reached) ||
          (isReadOnly && method !== 'GET') ||
          (scopes.length > 0 && !scopes.includes(scope)) ||
          /^\/api\/(?:auth|mcp)\b(?!-)/.test(path)
        if (isWrong) wrong.push(`${method} ${path} by ${JSON.stringify({ isAdmin, scopes, isReadOnly })}`)
      }
    }
    assert.deepEqual(wrong, [])
    assert.ok(admitted > 100, `only ${admitted} calls were admitted`)
  })
})

/** The route with its guard and gates, whose run does nothing. */
function withoutEffect(route: Route): Route {
  const run = () => {
    throw NotFound(reached)
  }
  const { target: _target, params: _params, query: _query, body: _body, ...endpoint } = route.endpoint
  return { ...route, endpoint: { ...endpoint, run } as Route['endpoint'] }
}

/** Numbers from 0 to 1, the same in every run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

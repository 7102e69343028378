import { openAgent } from '../../src/areas/mcp/testing/agent.ts'
import { openTestPanel } from '../support/panel.ts'
import { type Figure, median } from './figures.ts'

/** The cost of a tool call over loopback beyond that of the request that it makes, and of the list of tools. */
export async function measureAgents(isShort: boolean): Promise<readonly Figure[]> {
  const panel = await openTestPanel({ isMeasured: true })
  try {
    const { token } = await openAgent(panel, panel.admin.id, { read_only: true })
    const address = await panel.app.listen({ host: '127.0.0.1', port: 0 })
    const direct = () => send(`${address}/api/users`, panel.admin.token)
    const message = (method: string, params: object = {}) =>
      send(`${address}/api/mcp`, token, { jsonrpc: '2.0', id: 1, method, params })
    const call = () => message('tools/call', { name: 'list_users' })
    const list = () => message('tools/list')
    const count = isShort ? 30 : 100
    for (const warm of [direct, call, list]) await msEach(warm, count)
    const rounds: { readonly direct: number; readonly call: number; readonly list: number }[] = []
    for (let round = 0; round < (isShort ? 5 : 11); round++)
      rounds.push({
        direct: await msEach(direct, count),
        call: await msEach(call, count),
        list: await msEach(list, count),
      })
    const plain = median(rounds.map((round) => round.direct))
    const called = median(rounds.map((round) => round.call))
    return [
      {
        what: 'tool call of an agent, beyond 1.3 times its request',
        value: median(rounds.map((round) => Math.max(0, round.call - 1.3 * round.direct))),
        unit: 'ms',
        bound: 2,
        loose: 6,
        detail: `${called.toFixed(2)} ms against ${plain.toFixed(2)} ms`,
      },
      {
        what: 'tools/list',
        value: median(rounds.map((round) => round.list)),
        unit: 'ms',
        bound: 2,
        loose: 6,
      },
    ]
  } finally {
    await panel.close()
  }
}

/** Sends a request, with a body by POST; fails unless it is answered with 200. */
async function send(url: string, token: string, body?: object): Promise<void> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (answer.status !== 200 || text.includes('"isError":true'))
    throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`)
}

/** Milliseconds that one of so many requests takes, one after another. */
async function msEach(request: () => Promise<void>, count: number): Promise<number> {
  const startedAt = performance.now()
  for (let done = 0; done < count; done++) await request()
  return (performance.now() - startedAt) / count
}

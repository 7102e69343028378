import Type from 'typebox'
import { Value } from 'typebox/value'
import { success } from '../../core/reply.ts'
import { parseNetwork } from '../../host/networks.ts'
import { changeBalancer, currentBalancer, placed } from './change.ts'
import type { Dnslb } from './context.ts'
import type { Server, ServerDraft } from './model.ts'
import { AddressInvalid, PoolUsed, ServerMissing } from './problems.ts'

/** The part of the HTTP API's answer that concerns servers. */
const Running = Type.Object({
  servers: Type.Array(
    Type.Object({
      name: Type.String(),
      state: Type.String(),
      queries: Type.Number(),
      /** Null for a server that is held down. */
      latency: Type.Union([Type.Number(), Type.Null()]),
    }),
  ),
})

/** Lists the servers with their health, as the running dnsdist reports it. */
export async function listServers({ dnsdist }: Dnslb): Promise<{ servers: Server[] }> {
  const { servers } = await dnsdist.readStored()
  const isRunning = (await dnsdist.detect()).present && (await dnsdist.isRunning())
  const reported = isRunning ? await dnsdist.get('/api/v1/servers/localhost') : undefined
  const running = Value.Check(Running, reported) ? reported.servers : []
  return {
    servers: servers.map((server) => {
      const found = running.find(({ name }) => name === server.name)
      const isUp = found?.state.toLowerCase() === 'up'
      return {
        ...server,
        state: found === undefined ? 'unknown' : isUp ? 'up' : 'down',
        queries: found?.queries ?? 0,
        latency_ms: found?.latency ?? 0,
      }
    }),
  }
}

/** Adds a server, or replaces the one of its name. */
export function writeServer(on: Dnslb, { address: host, port, ...draft }: ServerDraft) {
  const network = host.includes('/') ? undefined : parseNetwork(host)
  if (network === undefined) throw AddressInvalid(`address: ${JSON.stringify(host)} is not an IP address`)
  const server = { ...draft, address: network.family === 'ipv6' ? `[${host}]:${port}` : `${host}:${port}` }
  return changeBalancer(on, {
    summary: `Write the server ${server.name}`,
    reply: success,
    edit: ({ servers }) => ({ servers: placed(servers, server, ({ name }) => name) }),
  })
}

/** Removes a server, unless a rule needs its pool. */
export async function deleteServer(on: Dnslb, name: string) {
  const { servers, rules } = await currentBalancer(on)
  const found = servers.find((server) => server.name === name)
  if (found === undefined) throw ServerMissing(`name: there is no server ${name}`)
  const left = servers.filter((server) => server !== found)
  const user = rules.find(({ action, pool }) => action === 'pool' && pool === found.pool && pool !== '')
  if (user !== undefined && left.every(({ pool }) => pool !== found.pool))
    throw PoolUsed(
      `name: the rule ${user.name} sends queries to the pool ${found.pool}, of which this is the last server`,
    )
  return changeBalancer(on, {
    summary: `Remove the server ${name}`,
    reply: success,
    edit: (now) => ({ servers: now.servers.filter((server) => server.name !== name) }),
  })
}

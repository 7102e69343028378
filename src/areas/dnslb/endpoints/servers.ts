import Type from 'typebox'
import { data, succeeded } from '../../../core/reply.ts'
import { failures } from '../../../core/endpoint.ts'
import { endpoint } from '../context.ts'
import { notLive } from '../failures.ts'
import * as model from '../model.ts'
import { AddressInvalid, PoolUsed, ServerMissing } from '../problems.ts'
import * as servers from '../servers.ts'

export const listServers = endpoint({
  method: 'GET',
  path: '/servers',
  summary: 'List the servers with their pools and health',
  effect: 'reads',
  reply: data(model.Servers),
  run: ({ dnslb }) => servers.listServers(dnslb),
})

export const writeServer = endpoint({
  method: 'POST',
  path: '/servers',
  summary: 'Add a server, or replace the one of this name',
  effect: 'changes',
  category: 'services',
  body: model.ServerDraft,
  reply: succeeded,
  throws: failures(notLive, { bad_request: AddressInvalid }),
  run: ({ body, dnslb }) => servers.writeServer(dnslb, body),
})

export const deleteServer = endpoint({
  method: 'DELETE',
  path: '/servers/{name}',
  summary: 'Remove a server',
  effect: 'destroys',
  category: 'services',
  params: Type.Object({ name: model.Name }),
  reply: succeeded,
  throws: failures(notLive, { not_found: ServerMissing, conflict: PoolUsed }),
  run: ({ params, dnslb }) => servers.deleteServer(dnslb, params.name),
})

import Type from 'typebox'
import { failures, local } from '../../../core/endpoint.ts'
import { superuser } from '../../../core/guard.ts'
import { StoreFailed } from '../../../core/problem.ts'
import { created, data, succeeded } from '../../../core/reply.ts'
import { type Context, endpoint } from '../context.ts'
import * as model from '../model.ts'
import { findReference } from '../natural-keys.ts'
import * as problems from '../problems.ts'
import * as servers from '../servers.ts'

const ofThisPanel = local('each panel has servers of its own')
const unknown = { not_found: problems.ServerNotFound }
const unwritten = { db_error: StoreFailed }
interface Loading extends Context {
  readonly params: { readonly id: number }
}

const ofServer = endpoint.with({
  params: model.ServerPath,
  target: ({ params, replication }: Loading) => replication.queries.load(params.id),
})

export const listServers = endpoint({
  method: 'GET',
  path: '',
  summary: 'List the servers that repeat changes of this one',
  effect: 'reads',
  reply: data(Type.Array(model.ReplicationServer, { maxItems: 1000 })),
  run: ({ replication }) => servers.listServers(replication),
})

export const addServer = endpoint({
  method: 'POST',
  path: '',
  summary: 'Add a server; it repeats nothing before a category is enabled',
  description:
    'Its API key is sent only to a panel with its public key, or with a certificate that this host trusts. Without `public_key`, the one that it shows at the first contact is kept.',
  effect: 'changes',
  category: ofThisPanel,
  body: model.ServerDraft,
  reply: created(model.ReplicationServer),
  throws: { bad_request: [problems.ServerInvalid, problems.ServerTaken] },
  run: ({ replication, body, ...request }) => servers.addServer(replication, body, request),
})

export const readServer = ofServer({
  method: 'GET',
  path: '/{id}',
  summary: 'Read a server that repeats changes of this one',
  effect: 'reads',
  reply: data(model.ReplicationServer),
  throws: unknown,
  run: ({ replication, target }) => servers.readServer(replication, target),
})

export const editServer = ofServer({
  method: 'PUT',
  path: '/{id}',
  summary: 'Change a server; empty fields stay as they are',
  description:
    'A host, another port or an API key replaces its public key: by `public_key`, or by the one that it shows at the next contact.',
  effect: 'changes',
  category: ofThisPanel,
  body: model.ServerEdit,
  reply: succeeded,
  throws: failures(
    { bad_request: [problems.ServerInvalid, problems.ServerTaken, problems.NothingToUpdate] },
    unknown,
    unwritten,
  ),
  run: ({ replication, target, body, ...request }) => servers.editServer(replication, target, body, request),
})

export const deleteServer = ofServer({
  method: 'DELETE',
  path: '/{id}',
  summary: 'Delete a server and its log; what it has stays there',
  effect: 'destroys',
  category: ofThisPanel,
  reply: succeeded,
  throws: failures({ bad_request: problems.ServerUsed }, unknown),
  run: ({ replication, target }) => servers.deleteServer(replication, target),
})

export const testServer = ofServer({
  method: 'POST',
  path: '/{id}/test',
  summary: 'Ask a server whether it can be reached with its key, and keep its public key',
  description:
    'A server whose public key has changed is sent nothing, unless this host trusts its certificate, or `trust` is true.',
  effect: 'probes',
  body: model.ServerTest,
  reply: data(model.ServerTested),
  throws: unknown,
  run: ({ replication, target, body, ...request }) => servers.testServer(replication, target, body, request),
})

export const toggleServer = ofServer({
  method: 'POST',
  path: '/{id}/toggle',
  summary: 'Enable or disable a server; what is changed meanwhile waits for it',
  effect: 'changes',
  category: ofThisPanel,
  body: model.ServerSwitch,
  reply: data(model.ServerSwitched),
  throws: failures(unknown, unwritten),
  run: ({ target, body, ...request }) => servers.toggleServer(target, body, request),
})

export const readReference = endpoint({
  method: 'GET',
  path: '/references',
  summary: 'Tell another server the id that a row of a name has here',
  effect: 'reads',
  guard: superuser,
  query: model.ReferenceQuery,
  reply: data(model.Reference),
  throws: { not_found: problems.NameUnknown },
  run: ({ replication, query }) => findReference(replication.keys(), query),
})

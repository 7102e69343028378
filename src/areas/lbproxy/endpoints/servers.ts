import { failures } from '../../../core/endpoint.ts'
import Type from 'typebox'
import { created, data, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { live, missing, notLive, taken } from '../failures.ts'
import * as model from '../model.ts'
import * as servers from '../servers.ts'

const BackendPath = Type.Object({ name: model.Name })
const ServerPath = Type.Object({ name: model.Name, server: model.Name })

export const createServer = endpoint({
  method: 'POST',
  path: '/backends/{name}/servers',
  summary: 'Add a server to a backend',
  effect: 'changes',
  category: 'services',
  params: BackendPath,
  body: model.ServerDraft,
  reply: created(model.Server),
  throws: failures(missing, taken, notLive),
  target: live,
  run: ({ target, params, body, lbproxy }) =>
    servers.createServer(lbproxy, target, { ...params, draft: body }),
})

export const replaceServer = endpoint({
  method: 'PUT',
  path: '/backends/{name}/servers/{server}',
  summary: 'Change a server, or take it out of service with `state`',
  effect: 'changes',
  category: 'services',
  params: ServerPath,
  body: model.ServerEdit,
  reply: data(model.Server),
  throws: failures(missing, taken, notLive),
  target: live,
  run: ({ target, params, body, lbproxy }) =>
    servers.replaceServer(lbproxy, target, { ...params, draft: body }),
})

export const deleteServer = endpoint({
  method: 'DELETE',
  path: '/backends/{name}/servers/{server}',
  summary: 'Remove a server from a backend',
  effect: 'destroys',
  category: 'services',
  params: ServerPath,
  reply: succeeded,
  throws: failures(missing, taken, notLive),
  target: live,
  run: ({ target, params, lbproxy }) => servers.deleteServer(lbproxy, target, params),
})

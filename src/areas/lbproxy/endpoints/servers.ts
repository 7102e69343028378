import Type from 'typebox'
import { created, data, succeeded } from '../../../core/reply.ts'
import { missing } from '../failures.ts'
import * as model from '../model.ts'
import * as servers from '../servers.ts'
import { changingPart } from './preambles.ts'

const BackendPath = Type.Object({ name: model.Name })
const ServerPath = Type.Object({ name: model.Name, server: model.Name })

export const createServer = changingPart({
  method: 'POST',
  path: '/backends/{name}/servers',
  summary: 'Add a server to a backend',
  effect: 'changes',
  params: BackendPath,
  body: model.ServerDraft,
  reply: created(model.Server),
  throws: missing,
  run: ({ target, params, body, lbproxy }) =>
    servers.createServer(lbproxy, target, { ...params, draft: body }),
})

export const replaceServer = changingPart({
  method: 'PUT',
  path: '/backends/{name}/servers/{server}',
  summary: 'Change a server, or take it out of service with `state`',
  effect: 'changes',
  params: ServerPath,
  body: model.ServerEdit,
  reply: data(model.Server),
  throws: missing,
  run: ({ target, params, body, lbproxy }) =>
    servers.replaceServer(lbproxy, target, { ...params, draft: body }),
})

export const deleteServer = changingPart({
  method: 'DELETE',
  path: '/backends/{name}/servers/{server}',
  summary: 'Remove a server from a backend',
  effect: 'destroys',
  params: ServerPath,
  reply: succeeded,
  throws: missing,
  run: ({ target, params, lbproxy }) => servers.deleteServer(lbproxy, target, params),
})

import { failures } from '../../../core/endpoint.ts'
import Type from 'typebox'
import { created, data, succeeded } from '../../../core/reply.ts'
import { haproxyProblems } from '../../../tools/haproxy/index.ts'
import * as backends from '../backends.ts'
import { endpoint } from '../context.ts'
import { live, missing, notLive, taken } from '../failures.ts'
import * as model from '../model.ts'
import { NoSuchBackend } from '../problems.ts'

const BackendPath = Type.Object({ name: model.Name })

export const listBackends = endpoint({
  method: 'GET',
  path: '/backends',
  summary: 'List backends with their servers and how these are',
  effect: 'reads',
  reply: data(Type.Array(model.Backend, { maxItems: 20_000 })),
  run: ({ lbproxy }) => backends.listBackends(lbproxy),
})

export const createBackend = endpoint({
  method: 'POST',
  path: '/backends',
  summary: 'Add a backend and put it live',
  effect: 'changes',
  category: 'services',
  body: model.BackendDraft,
  reply: created(model.Backend),
  throws: failures({ bad_request: haproxyProblems.StatementInvalid }, taken, notLive),
  target: live,
  run: ({ target, body, lbproxy }) => backends.createBackend(lbproxy, target, body),
})

export const editBackend = endpoint({
  method: 'PUT',
  path: '/backends/{name}',
  summary: 'Change the parts of a backend that are given; all others stay as they are',
  effect: 'changes',
  category: 'services',
  params: BackendPath,
  body: model.BackendEdit,
  reply: data(model.Backend),
  throws: failures({ bad_request: haproxyProblems.StatementInvalid }, missing, taken, notLive),
  target: live,
  run: ({ target, params, body, lbproxy }) =>
    backends.editBackend(lbproxy, target, { ...params, draft: body }),
})

export const duplicateBackend = endpoint({
  method: 'POST',
  path: '/backends/duplicate',
  summary: 'Copy a backend under another name and port',
  effect: 'changes',
  category: 'services',
  body: model.DuplicateDraft,
  reply: created(model.Backend),
  throws: failures({ not_found: [haproxyProblems.NoSuchPart, NoSuchBackend] }, taken, notLive),
  target: live,
  run: ({ target, body, lbproxy }) => backends.duplicateBackend(lbproxy, target, body),
})

export const deleteBackend = endpoint({
  method: 'DELETE',
  path: '/backends/{name}',
  summary: 'Remove a backend that nothing uses',
  effect: 'destroys',
  category: 'services',
  params: BackendPath,
  reply: succeeded,
  throws: failures(missing, taken, notLive),
  target: live,
  run: ({ target, params, lbproxy }) => backends.deleteBackend(lbproxy, target, params.name),
})

import { failures } from '../../../core/endpoint.ts'
import Type from 'typebox'
import { created, data, succeeded } from '../../../core/reply.ts'
import { haproxyProblems } from '../../../tools/haproxy/index.ts'
import * as backends from '../backends.ts'
import { endpoint } from '../context.ts'
import { missing } from '../failures.ts'
import * as model from '../model.ts'
import { NoSuchBackend } from '../problems.ts'
import { changingPart } from './preambles.ts'

const BackendPath = Type.Object({ name: model.Name })

export const listBackends = endpoint({
  method: 'GET',
  path: '/backends',
  summary: 'List backends with their servers and how these are',
  effect: 'reads',
  reply: data(Type.Array(model.Backend, { maxItems: 20_000 })),
  run: ({ lbproxy }) => backends.listBackends(lbproxy),
})

export const createBackend = changingPart({
  method: 'POST',
  path: '/backends',
  summary: 'Add a backend and put it live',
  effect: 'changes',
  body: model.BackendDraft,
  reply: created(model.Backend),
  throws: { bad_request: haproxyProblems.StatementInvalid },
  run: ({ target, body, lbproxy }) => backends.createBackend(lbproxy, target, body),
})

export const editBackend = changingPart({
  method: 'PUT',
  path: '/backends/{name}',
  summary: 'Change the parts of a backend that are given; all others stay as they are',
  effect: 'changes',
  params: BackendPath,
  body: model.BackendEdit,
  reply: data(model.Backend),
  throws: failures({ bad_request: haproxyProblems.StatementInvalid }, missing),
  run: ({ target, params, body, lbproxy }) =>
    backends.editBackend(lbproxy, target, { ...params, draft: body }),
})

export const duplicateBackend = changingPart({
  method: 'POST',
  path: '/backends/duplicate',
  summary: 'Copy a backend under another name and port',
  effect: 'changes',
  body: model.DuplicateDraft,
  reply: created(model.Backend),
  throws: { not_found: [haproxyProblems.NoSuchPart, NoSuchBackend] },
  run: ({ target, body, lbproxy }) => backends.duplicateBackend(lbproxy, target, body),
})

export const deleteBackend = changingPart({
  method: 'DELETE',
  path: '/backends/{name}',
  summary: 'Remove a backend that nothing uses',
  effect: 'destroys',
  params: BackendPath,
  reply: succeeded,
  throws: missing,
  run: ({ target, params, lbproxy }) => backends.deleteBackend(lbproxy, target, params.name),
})

import Type from 'typebox'
import { created, data, succeeded } from '../../../core/reply.ts'
import { haproxyProblems } from '../../../tools/haproxy/index.ts'
import { endpoint } from '../context.ts'
import { missing } from '../failures.ts'
import * as frontends from '../frontends.ts'
import * as model from '../model.ts'
import { NeedsSuperuser, NoSuchBackend, NoSuchCertificate } from '../problems.ts'
import { changingPart } from './preambles.ts'

const FrontendPath = Type.Object({ name: model.Name })

/** Failures of form values that cannot be written to the configuration. */
const refused = {
  bad_request: haproxyProblems.StatementInvalid,
  not_found: [haproxyProblems.NoSuchPart, NoSuchBackend, NoSuchCertificate],
  forbidden: NeedsSuperuser,
}

export const listFrontends = endpoint({
  method: 'GET',
  path: '/frontends',
  summary: 'List frontends with what they listen at and where they send visitors',
  effect: 'reads',
  reply: data(Type.Array(model.Frontend, { maxItems: 20_000 })),
  run: ({ lbproxy }) => frontends.listFrontends(lbproxy),
})

export const createFrontend = changingPart({
  method: 'POST',
  path: '/frontends',
  summary: 'Add a frontend and put it live',
  effect: 'changes',
  body: model.FrontendDraft,
  reply: created(model.Frontend),
  throws: refused,
  run: ({ target, body, caller, lbproxy }) =>
    frontends.createFrontend(lbproxy, target, { draft: body, caller }),
})

export const editFrontend = changingPart({
  method: 'PUT',
  path: '/frontends/{name}',
  summary: 'Change the parts of a frontend that are given; all others stay as they are',
  effect: 'changes',
  params: FrontendPath,
  body: model.FrontendEdit,
  reply: data(model.Frontend),
  throws: refused,
  run: ({ target, params, body, caller, lbproxy }) =>
    frontends.editFrontend(lbproxy, target, { ...params, draft: body, caller }),
})

export const deleteFrontend = changingPart({
  method: 'DELETE',
  path: '/frontends/{name}',
  summary: 'Remove a frontend',
  effect: 'destroys',
  params: FrontendPath,
  reply: succeeded,
  throws: missing,
  run: ({ target, params, lbproxy }) => frontends.deleteFrontend(lbproxy, target, params.name),
})

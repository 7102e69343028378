import Type from 'typebox'
import { data, succeeded } from '../../../core/reply.ts'
import { Reveal } from '../../../core/schemas.ts'
import { haproxyProblems } from '../../../tools/haproxy/index.ts'
import * as config from '../config.ts'
import { endpoint } from '../context.ts'
import * as model from '../model.ts'
import { NeedsSuperuser } from '../problems.ts'
import { changingConfig } from './preambles.ts'

export const readConfig = endpoint({
  method: 'GET',
  path: '/config',
  summary: 'Read the configuration as text; passwords in it are hidden unless a superuser asks with reveal=1',
  effect: 'reads',
  query: Type.Object({ reveal: Reveal }),
  reply: data(model.Config),
  run: ({ query, lbproxy }) => config.readConfig(lbproxy, query.reveal),
})

export const writeConfig = changingConfig({
  method: 'POST',
  path: '/config',
  summary: 'Replace the configuration and put it live',
  effect: 'changes',
  bodyBytes: 6 * 1024 * 1024,
  body: model.ConfigDraft,
  reply: succeeded,
  throws: { bad_request: haproxyProblems.StatementInvalid, forbidden: NeedsSuperuser },
  run: ({ target, body, caller, lbproxy }) => config.writeConfig(lbproxy, target, { ...body, caller }),
})

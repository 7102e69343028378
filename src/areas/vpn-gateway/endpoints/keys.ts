import Type from 'typebox'
import { failures, local } from '../../../core/endpoint.ts'
import { NotFound } from '../../../core/problem.ts'
import { created, data, flat, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { unanswered } from '../failures.ts'
import * as keys from '../keys.ts'
import {
  VpnApiKey,
  VpnApiKeyCreated,
  VpnIdPath,
  VpnPreAuthKey,
  VpnPreAuthKeyCreated,
  VpnPreAuthKeyDraft,
} from '../model.ts'

const category = local('each mesh has keys of its own')

export const listVpnPreAuthKeys = endpoint({
  method: 'GET',
  path: '/preauthkeys',
  summary: 'List the keys with which nodes join, shortened',
  effect: 'reads',
  reply: data(Type.Array(VpnPreAuthKey)),
  throws: unanswered,
  run: ({ vpn, now }) => keys.listPreAuthKeys(vpn, now),
})

export const createVpnPreAuthKey = endpoint({
  method: 'POST',
  path: '/preauthkeys',
  summary: 'Make a key with which nodes of a user join',
  description: 'The key is shown in this reply alone: `tailscale up --login-server URL --auth-key KEY`.',
  effect: 'changes',
  category,
  changesAccess: true,
  body: VpnPreAuthKeyDraft,
  reply: created(VpnPreAuthKeyCreated),
  throws: failures(unanswered, { not_found: NotFound }),
  run: ({ vpn, body, now }) => keys.createPreAuthKey(vpn, body, now),
})

export const expireVpnPreAuthKey = endpoint({
  method: 'POST',
  path: '/preauthkeys/expire',
  summary: 'End a key, so that no further node joins with it',
  effect: 'destroys',
  category,
  body: VpnIdPath,
  reply: succeeded,
  throws: failures(unanswered, { not_found: NotFound }),
  run: ({ vpn, body }) => keys.expirePreAuthKey(vpn, body),
})

export const listVpnApiKeys = endpoint({
  method: 'GET',
  path: '/apikeys',
  summary: 'List the API keys of the control server by their prefixes',
  effect: 'reads',
  reply: data(Type.Array(VpnApiKey)),
  throws: unanswered,
  run: ({ vpn }) => keys.listApiKeys(vpn),
})

export const createVpnApiKey = endpoint({
  method: 'POST',
  path: '/apikeys',
  summary: 'Make an API key of the control server for another program',
  description: 'The key is shown in this reply alone, and valid for 90 days.',
  effect: 'changes',
  category,
  changesAccess: true,
  reply: flat(VpnApiKeyCreated),
  throws: unanswered,
  run: ({ vpn, now }) => keys.createApiKey(vpn, now),
})

import { local } from '../../core/endpoint.ts'
import { StoreFailed } from '../../core/problem.ts'
import { data, succeeded } from '../../core/reply.ts'
import * as apiKeys from './api-keys.ts'
import { endpoint } from './context.ts'
import { ApiKeyPath, ApiKeys, KeyDraft, NewApiKey, UserPath } from './model.ts'
import { onUser } from './on-user.ts'

/** A key is verified by the panel that issued it. */
const thisPanel = local('a key is valid for this panel')

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/{uid}/api-keys',
  summary: 'List the API keys of a user, newest first',
  effect: 'reads',
  params: UserPath,
  reply: data(ApiKeys),
  throws: { db_error: StoreFailed },
  run: ({ params, users }) => apiKeys.listApiKeys(users, params.uid),
})

export const createApiKey = onUser({
  method: 'POST',
  path: '/{uid}/api-keys',
  summary: 'Create an API key; it is shown only in this reply',
  description:
    'A key may end at a time, be used from some addresses only, and have fewer permissions than its user. It never has more than its user has at the moment. A key with such limits creates no keys.',
  effect: 'changes',
  changesAccess: true,
  category: thisPanel,
  body: KeyDraft,
  reply: data(NewApiKey),
  throws: { db_error: StoreFailed },
  run: ({ users, target, body, ...request }) => apiKeys.createApiKey(users, target, body, request),
})

export const deleteApiKey = endpoint({
  method: 'DELETE',
  path: '/{uid}/api-keys/{kid}',
  summary: 'Delete an API key of a user, if it is there',
  effect: 'destroys',
  category: thisPanel,
  params: ApiKeyPath,
  reply: succeeded,
  run: ({ users, params, ...request }) => apiKeys.deleteApiKey(users, params, request),
})

import { local } from '../../../core/endpoint.ts'
import { StoreFailed } from '../../../core/problem.ts'
import { data } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import * as log from '../log.ts'
import * as model from '../model.ts'
import { ActionNotFound } from '../problems.ts'

const ofThisPanel = local('each panel has servers of its own')
const retryMs = 300_000

export const listActions = endpoint({
  method: 'GET',
  path: '/{id}/action-log',
  summary: 'List the requests for a server, the newest first',
  effect: 'reads',
  params: model.ServerPath,
  query: model.LogQuery,
  reply: data(model.ActionLog),
  run: ({ replication, params, query }) => log.listActions(replication, params.id, query),
})

export const clearActions = endpoint({
  method: 'DELETE',
  path: '/{id}/action-log',
  summary: 'Remove the requests that are over from the log of a server, or all of them',
  description: 'A request is over once it has succeeded, or has failed and was retried three times.',
  effect: 'destroys',
  category: ofThisPanel,
  params: model.ServerPath,
  query: model.ClearQuery,
  reply: data(model.LogCleared),
  throws: { db_error: StoreFailed },
  run: ({ replication, params, query }) => log.clearActions(replication, params.id, query.all === 'true'),
})

export const retryAction = endpoint({
  method: 'POST',
  path: '/{id}/action-log/{action_id}/retry',
  summary: 'Send a request to a server again, whatever became of it',
  description: 'Answers 200 with `success: false` and the reason where the server did not repeat it.',
  effect: 'changes',
  category: ofThisPanel,
  params: model.ActionPath,
  reply: data(model.Retried),
  throws: { not_found: ActionNotFound },
  timeoutMs: retryMs,
  run: ({ replication, params }) => log.retryAction(replication, params.id, params.action_id),
})

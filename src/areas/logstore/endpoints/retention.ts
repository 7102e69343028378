import { local } from '../../../core/endpoint.ts'
import { data, enqueued } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { LogRetention } from '../model.ts'
import * as retention from '../retention.ts'

const category = local('each host has its own log lines')

export const readLogRetention = endpoint({
  method: 'GET',
  path: '/retention',
  summary: 'Read how long log lines are kept',
  effect: 'reads',
  reply: data(LogRetention),
  run: ({ logstore }) => retention.readRetention(logstore),
})

export const setLogRetention = endpoint({
  method: 'PUT',
  path: '/retention',
  summary: 'Set how long log lines are kept; applied every hour',
  effect: 'changes',
  category,
  body: LogRetention,
  reply: data(LogRetention),
  run: ({ logstore, body }) => retention.setRetention(logstore, body),
})

export const applyLogRetention = endpoint({
  method: 'POST',
  path: '/retention/apply',
  summary: 'Delete the log lines that are older than the retention, unless a saved search preserves them',
  effect: 'destroys',
  category,
  reply: enqueued,
  run: ({ logstore, ...request }) => retention.applyRetention(logstore, request),
})

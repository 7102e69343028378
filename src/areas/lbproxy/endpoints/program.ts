import { data } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { haproxyLifecycle } from '../lifecycle.ts'
import * as model from '../model.ts'
import * as stats from '../stats.ts'

export const { readStatus, reload, start, stop, install, uninstall } = haproxyLifecycle.endpoints

export const readStats = endpoint({
  method: 'GET',
  path: '/stats',
  summary: 'Read what the load balancer counts, for each frontend, backend and server',
  effect: 'reads',
  reply: data(model.Stats),
  run: ({ lbproxy }) => stats.readStats(lbproxy),
})

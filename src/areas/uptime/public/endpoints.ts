import { failures, local } from '../../../core/endpoint.ts'
import { open } from '../../../core/guard.ts'
import { data } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { MonitorNotFound, PluginMissing, StatusPageMissing } from '../problems.ts'
import { PublicStatus, StatusPage, StatusPageDraft } from './model.ts'
import * as status from './status.ts'

const missing = { bad_request: PluginMissing }

export const readStatusPage = endpoint({
  method: 'GET',
  path: '/status-page',
  summary: 'Read whether the status of the monitors is public',
  effect: 'reads',
  reply: data(StatusPage),
  throws: missing,
  run: ({ uptime }) => status.readStatusPage(uptime),
})

export const setStatusPage = endpoint({
  method: 'PUT',
  path: '/status-page',
  summary: 'Make the status of the monitors public, or private again',
  description:
    'While it is public, anybody may read the names of the monitors, whether they are up, and their availability by day; neither targets nor errors.',
  effect: 'changes',
  category: local('each host has its own monitors'),
  body: StatusPageDraft,
  reply: data(StatusPage),
  throws: failures(missing, { not_found: MonitorNotFound }),
  run: ({ uptime, body }) => status.setStatusPage(uptime, body),
})

export const readPublicStatus = endpoint({
  method: 'GET',
  path: '/public',
  summary: 'Read the public status of the monitors, without a credential where that is enabled',
  effect: 'reads',
  guard: open('It is off by default, and shows names and availability alone'),
  reply: data(PublicStatus),
  throws: { not_found: StatusPageMissing },
  run: ({ uptime, now }) => status.readPublicStatus(uptime, { now }),
})

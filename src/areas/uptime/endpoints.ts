import { failures, local } from '../../core/endpoint.ts'
import { StoreFailed } from '../../core/problem.ts'
import { data } from '../../core/reply.ts'
import { endpoint } from './context.ts'
import {
  AvailabilityQuery,
  DailyAvailability,
  History,
  HistoryQuery,
  IdOfMonitor,
  MaintenanceWindow,
  MaintenanceWindows,
  MonitorDraft,
  MonitorEdit,
  MonitorPath,
  MonitorReplacement,
  Monitors,
  ResponseTimes,
  ResponseTimesQuery,
  Sparklines,
  SparklinesQuery,
  Statistics,
  Told,
  UptimeStatus,
  WindowDraft,
} from './model.ts'
import * as verbs from './monitors.ts'
import * as past from './samples/past.ts'
import { MonitorInvalid, MonitorNotFound, PluginMissing, TooManyWindows, WindowInvalid } from './problems.ts'
import * as windows from './windows.ts'

const ofThisHost = local('each host has its own monitors')
const unreadable = { db_error: StoreFailed }
const invalid = { bad_request: [MonitorInvalid, PluginMissing] }
const unknown = { not_found: MonitorNotFound }
const missing = { bad_request: PluginMissing }
const ofMonitor = endpoint.with({ params: MonitorPath })

export const readStatus = endpoint({
  method: 'GET',
  path: '/status',
  summary: 'Count the enabled monitors that are up, down, and up with a warning',
  effect: 'reads',
  reply: data(UptimeStatus),
  run: ({ uptime }) => verbs.readStatus(uptime),
})

export const listMonitors = endpoint({
  method: 'GET',
  path: '/monitors',
  summary: 'List the monitors with what their last checks found, the newest first',
  effect: 'reads',
  reply: data(Monitors),
  throws: unreadable,
  run: ({ uptime }) => verbs.listMonitors(uptime),
})

export const createMonitor = endpoint({
  method: 'POST',
  path: '/monitors',
  summary: 'Add a monitor, which is checked at once and then at its interval',
  effect: 'changes',
  category: ofThisHost,
  body: MonitorDraft,
  reply: data(IdOfMonitor),
  throws: failures(invalid, unreadable),
  run: ({ uptime, body, ...request }) => verbs.createMonitor(uptime, body, request),
})

export const replaceMonitor = ofMonitor({
  method: 'PUT',
  path: '/monitors/{id}',
  summary: 'Replace the configuration of a monitor: fields that are absent become empty, 0 or false',
  effect: 'changes',
  category: ofThisHost,
  body: MonitorReplacement,
  reply: data(Told),
  throws: failures(invalid, unknown, unreadable),
  run: ({ uptime, params, body, ...request }) => verbs.editMonitor(uptime, params.id, body, request),
})

export const editMonitor = ofMonitor({
  method: 'PATCH',
  path: '/monitors/{id}',
  summary: 'Change the given fields of a monitor',
  effect: 'changes',
  category: ofThisHost,
  body: MonitorEdit,
  reply: data(Told),
  throws: failures(invalid, unknown),
  run: ({ uptime, params, body, ...request }) => verbs.editMonitor(uptime, params.id, body, request),
})

export const deleteMonitor = ofMonitor({
  method: 'DELETE',
  path: '/monitors/{id}',
  summary: 'Delete a monitor and its history',
  effect: 'destroys',
  category: ofThisHost,
  reply: data(Told),
  throws: missing,
  run: ({ uptime, params }) => verbs.deleteMonitor(uptime, params.id),
})

export const toggleMonitor = ofMonitor({
  method: 'POST',
  path: '/monitors/{id}/toggle',
  summary: 'Disable an enabled monitor, or enable a disabled one',
  effect: 'changes',
  category: ofThisHost,
  reply: data(Told),
  throws: missing,
  run: ({ uptime, params, ...request }) => verbs.toggleMonitor(uptime, params.id, request),
})

export const checkMonitor = ofMonitor({
  method: 'POST',
  path: '/monitors/{id}/check',
  summary: 'Begin a check of a monitor',
  effect: 'probes',
  reply: data(Told),
  throws: failures(missing, unknown),
  run: ({ uptime, params }) => verbs.triggerCheck(uptime, params.id),
})

export const listHistory = ofMonitor({
  method: 'GET',
  path: '/monitors/{id}/history',
  summary: 'List the changes of state of a monitor and its alerts, the newest first',
  effect: 'reads',
  query: HistoryQuery,
  reply: data(History),
  throws: failures(missing, unreadable),
  run: ({ uptime, params, query }) => verbs.listHistory(uptime, params.id, query.limit),
})

export const readStatistics = ofMonitor({
  method: 'GET',
  path: '/monitors/{id}/statistics',
  summary: 'Read the availability and the response times of a monitor in the last 24 hours',
  effect: 'reads',
  reply: data(Statistics),
  throws: failures(missing, unknown),
  run: ({ uptime, params, ...request }) => verbs.readStatistics(uptime, params.id, request),
})

export const readAvailability = ofMonitor({
  method: 'GET',
  path: '/monitors/{id}/availability',
  summary: 'Read the availability and the response times of a monitor by day',
  effect: 'reads',
  query: AvailabilityQuery,
  reply: data(DailyAvailability),
  throws: failures(missing, unknown),
  run: ({ uptime, params, query, now }) => past.readAvailability(uptime, params.id, { ...query, now }),
})

export const readResponseTimes = ofMonitor({
  method: 'GET',
  path: '/monitors/{id}/response-times',
  summary: 'Read the response times of a monitor by five minutes',
  effect: 'reads',
  query: ResponseTimesQuery,
  reply: data(ResponseTimes),
  throws: failures(missing, unknown),
  run: ({ uptime, params, query, now }) => past.readResponseTimes(uptime, params.id, { ...query, now }),
})

export const readSparklines = endpoint({
  method: 'GET',
  path: '/sparklines',
  summary: 'Read the response times of several monitors by the hours of the last day',
  effect: 'reads',
  query: SparklinesQuery,
  reply: data(Sparklines),
  throws: missing,
  run: ({ uptime, query, now }) => past.readSparklines(uptime, query.ids.split(',').map(Number), { now }),
})

export const listMaintenance = endpoint({
  method: 'GET',
  path: '/maintenance',
  summary: 'List the times in which monitors are not checked, the newest first',
  effect: 'reads',
  reply: data(MaintenanceWindows),
  throws: failures(missing, unreadable),
  run: ({ uptime, ...request }) => windows.listWindows(uptime, request),
})

export const planMaintenance = endpoint({
  method: 'POST',
  path: '/maintenance',
  summary: 'Plan a time in which a monitor, or every one, is not checked',
  effect: 'changes',
  category: ofThisHost,
  body: WindowDraft,
  reply: data(MaintenanceWindow),
  throws: failures(unknown, { bad_request: [WindowInvalid, TooManyWindows, PluginMissing] }),
  run: ({ uptime, body, ...request }) => windows.planWindow(uptime, body, request),
})

export const deleteMaintenance = endpoint({
  method: 'DELETE',
  path: '/maintenance/{id}',
  summary: 'Delete a maintenance window',
  effect: 'destroys',
  category: ofThisHost,
  params: MonitorPath,
  reply: data(Told),
  throws: missing,
  run: ({ uptime, params }) => windows.deleteWindow(uptime, params.id),
})

export * from './public/endpoints.ts'

import { at, failures, local } from '../../../core/endpoint.ts'
import { NotFound, StoreFailed } from '../../../core/problem.ts'
import { created, data, succeeded } from '../../../core/reply.ts'
import { notTaken } from '../../../host/apply/problems.ts'
import { endpoint } from '../context.ts'
import { ofBackend } from '../failures.ts'
import { LogSource, LogSourceDraft, LogSourceEdit, LogSources, LogstorePath } from '../model.ts'
import { NotInstalled, SourceInvalid } from '../problems.ts'
import * as sources from '../sources.ts'

const category = local('each host receives log lines on its own ports')
const unreadable = { db_error: StoreFailed }
const unknown = { not_found: NotFound }
const rejected = { config_failed: at(500, ...notTaken) }
const ofSource = endpoint.with({ params: LogstorePath })

export const listLogSources = endpoint({
  method: 'GET',
  path: '/sources',
  summary: 'List the sources of log lines, and whether rsyslog has them',
  effect: 'reads',
  reply: data(LogSources),
  throws: unreadable,
  run: ({ logstore }) => sources.listSources(logstore),
})

export const createLogSource = endpoint({
  method: 'POST',
  path: '/sources',
  summary: 'Add a source of log lines, which receives nothing before it is applied',
  effect: 'changes',
  category,
  body: LogSourceDraft,
  reply: created(LogSource),
  throws: failures(unreadable, { bad_request: SourceInvalid }),
  run: ({ logstore, body, ...request }) => sources.createSource(logstore, body, request),
})

export const editLogSource = ofSource({
  method: 'PUT',
  path: '/sources/{id}',
  summary: 'Change the given fields of a source, which are in effect when it is applied',
  effect: 'changes',
  category,
  body: LogSourceEdit,
  reply: data(LogSource),
  throws: failures(unreadable, unknown, { bad_request: SourceInvalid }),
  run: ({ logstore, params, body }) => sources.editSource(logstore, Number(params.id), body),
})

export const applyLogSource = ofSource({
  method: 'POST',
  path: '/sources/{id}/apply',
  summary: 'Write the configuration of a source, let rsyslog check it, and restart rsyslog',
  effect: 'changes',
  category,
  reply: data(LogSource),
  throws: failures(unknown, rejected, ofBackend, { bad_request: [SourceInvalid, NotInstalled] }),
  timeoutMs: 180_000,
  run: ({ logstore, params }) => sources.applySource(logstore, Number(params.id)),
})

export const toggleLogSource = ofSource({
  method: 'POST',
  path: '/sources/{id}/toggle',
  summary: 'Disable a source and remove its configuration, or enable and apply it',
  effect: 'changes',
  category,
  reply: data(LogSource),
  throws: failures(unknown, rejected, ofBackend, { bad_request: [SourceInvalid, NotInstalled] }),
  timeoutMs: 180_000,
  run: ({ logstore, params }) => sources.toggleSource(logstore, Number(params.id)),
})

export const deleteLogSource = ofSource({
  method: 'DELETE',
  path: '/sources/{id}',
  summary: 'Delete a source, and remove its configuration from rsyslog; its lines stay',
  effect: 'destroys',
  category,
  reply: succeeded,
  throws: failures(unreadable, rejected),
  timeoutMs: 180_000,
  run: ({ logstore, params }) => sources.deleteSource(logstore, Number(params.id)),
})

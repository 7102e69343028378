import { local } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { notTaken } from '../../../host/apply/problems.ts'
import { endpoint } from '../context.ts'
import { Overwrite, RemoteLogging, RemoteLoggingDraft } from '../model.ts'
import * as verbs from '../remote.ts'

export const readRemoteLogging = endpoint({
  method: 'GET',
  path: '',
  summary: 'Read where the log lines of this host are sent, and how many wait for it',
  effect: 'reads',
  reply: data(RemoteLogging),
  run: ({ hostlogs }) => verbs.readRemoteLogging(hostlogs),
})

export const changeRemoteLogging = endpoint({
  method: 'POST',
  path: '',
  summary: 'Send every log line of this host to another server, or end it',
  description:
    'Fields that are left out stay as they are. Lines wait on the disk, up to 1 GiB, for as long as the server does not answer. rsyslog is restarted.',
  effect: 'changes',
  changesAccess: true, // the lines tell of sign-ins
  category: local('each host has logs of its own'),
  query: Overwrite,
  body: RemoteLoggingDraft,
  reply: succeeded,
  timeoutMs: 180_000,
  throws: { config_failed: notTaken },
  run: ({ hostlogs, body, query }) => verbs.changeRemoteLogging(hostlogs, body, query),
})

import { failures, local } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { notTaken } from '../../../host/apply/problems.ts'
import { RulesRefused } from '../../../tools/auditd/index.ts'
import { SshdRefused } from '../../../tools/openssh/index.ts'
import { endpoint } from '../context.ts'
import {
  Overwrite,
  SshAuditForward,
  SshAuditLogs,
  SshAuditQuery,
  SshAuditRewritten,
  SshAuditStatus,
  SshAuditSwitch,
} from '../model.ts'
import { CommandsUnsupported } from '../problems.ts'
import * as verbs from '../ssh-audit.ts'

const onAudit = endpoint.with({ base: '/settings/ssh-audit' })
/** They decide what is known of sessions. */
const ofSessions = {
  changesAccess: true,
  category: local('each host has sessions of its own'),
  timeoutMs: 180_000,
} as const

export const readSshAudit = onAudit({
  method: 'GET',
  path: '/status',
  summary: 'Read what the SSH audit records, and whether its files are in place',
  effect: 'reads',
  reply: data(SshAuditStatus),
  run: ({ hostlogs }) => verbs.readStatus(hostlogs),
})

export const readSshAuditLogs = onAudit({
  method: 'GET',
  path: '/logs',
  summary: 'List sign-ins, sessions and commands over SSH, the latest first',
  effect: 'reads',
  query: SshAuditQuery,
  reply: data(SshAuditLogs),
  run: ({ hostlogs, query }) => verbs.readLogs(hostlogs, query),
})

export const toggleSshAudit = onAudit({
  method: 'POST',
  path: '/toggle',
  summary: 'Let sshd log each session and record its commands, or end it',
  effect: 'changes',
  ...ofSessions,
  query: Overwrite,
  body: SshAuditSwitch,
  reply: succeeded,
  throws: failures({
    not_supported: CommandsUnsupported,
    sshd_refused: SshdRefused,
    audit_failed: RulesRefused,
  }),
  run: ({ hostlogs, body, query }) => verbs.toggle(hostlogs, body, query),
})

export const rewriteSshAudit = onAudit({
  method: 'POST',
  path: '/rewrite',
  summary: 'Write the files of the SSH audit again; what was edited by hand is replaced',
  effect: 'changes',
  ...ofSessions,
  reply: data(SshAuditRewritten),
  throws: failures({ config_failed: notTaken, sshd_refused: SshdRefused, audit_failed: RulesRefused }),
  run: ({ hostlogs }) => verbs.rewrite(hostlogs),
})

export const forwardSshAudit = onAudit({
  method: 'POST',
  path: '/forward',
  summary: 'Send the lines of the SSH audit to a server, by default that of remote logging, or end it',
  description: 'Fields that are left out stay as they are.',
  effect: 'changes',
  ...ofSessions,
  query: Overwrite,
  body: SshAuditForward,
  reply: succeeded,
  throws: { config_failed: notTaken },
  run: ({ hostlogs, body, query }) => verbs.forward(hostlogs, body, query),
})

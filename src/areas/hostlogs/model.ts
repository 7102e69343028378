import Type, { type Static } from 'typebox'
import { OneOf, Optional, Port, Prose, Text, Time } from '../../core/schemas.ts'

export const protocols = ['tcp', 'tls'] as const

const Server = Type.String({
  maxLength: 253,
  pattern: '^[A-Za-z0-9][A-Za-z0-9.-]*$|^[0-9A-Fa-f:.]+$|^$',
  description: 'Host name or address of the server',
  expects: 'a host name or an address such as logs.example.com or 192.0.2.10',
})
const Protocol = OneOf(protocols, {
  description: 'tcp: not encrypted; tls: encrypted, to the server that its certificate names',
})
const Authority = Prose(65_536, {
  description:
    'Certificates in PEM that the one of the server is checked against; empty for those that this host trusts',
  expects: 'certificates in PEM, or empty',
})
const FileState = OneOf(['applied', 'differs', 'absent'], {
  description: 'differs: the file was edited by hand, or another version of the panel wrote it',
})

const shownTarget = {
  server: Text(253, { description: 'Host name or address of the server; empty if none was set' }),
  port: Type.Integer({ minimum: 0, description: 'Port of the server' }),
  protocol: Protocol,
  ca: Prose(65_536, { description: 'Certificates in PEM; empty for those that this host trusts' }),
  state: FileState,
  queued_bytes: Type.Integer({ minimum: 0, description: 'Bytes that wait on the disk for the server' }),
}
const wantedTarget = {
  server: Optional(Server),
  port: Optional(
    Type.Integer({
      ...Port,
      description: 'Port of the server: 514 or, with tls, 6514 where it is left out at first',
    }),
  ),
  protocol: Optional(Protocol),
  ca: Optional(Authority),
}

export const RemoteLogging = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the log lines of this host are sent' }),
  ...shownTarget,
  running: Type.Boolean({ description: 'Whether rsyslog runs, which sends them' }),
  reason: Text(1000, { description: 'Why nothing can be sent; empty if it can' }),
})
export type RemoteLogging = Static<typeof RemoteLogging>

export const RemoteLoggingDraft = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the log lines of this host are sent' }),
  ...wantedTarget,
})
export type RemoteLoggingDraft = Static<typeof RemoteLoggingDraft>

export const SshAuditStatus = Type.Object({
  enabled: Type.Boolean({ description: 'Whether sshd logs each session' }),
  state: FileState,
  reason: Text(1000, { description: 'Why sshd cannot be told so; empty if it can' }),
  commands: Type.Object({
    enabled: Type.Boolean({ description: 'Whether the commands of sessions are recorded' }),
    supported: Type.Boolean({ description: 'Whether this host can record commands' }),
    reason: Text(1000, { description: 'Why it cannot; empty if it can' }),
    state: FileState,
  }),
  forward: Type.Object({
    enabled: Type.Boolean({ description: 'Whether the lines of the audit are sent to a server' }),
    ...shownTarget,
  }),
})
export type SshAuditStatus = Static<typeof SshAuditStatus>

export const SshAuditSwitch = Type.Object({
  enabled: Type.Boolean({ description: 'Whether sshd logs each session' }),
  commands: Optional(
    Type.Boolean({
      description: 'Whether commands are recorded too; as far as the host supports it where it is left out',
    }),
  ),
})
export type SshAuditSwitch = Static<typeof SshAuditSwitch>

export const SshAuditForward = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the lines of the audit are sent to a server' }),
  ...wantedTarget,
})
export type SshAuditForward = Static<typeof SshAuditForward>

export const SshAuditRewritten = Type.Object({
  written: Type.Array(Text(50, { description: 'What was written again' }), { maxItems: 10 }),
})

export const auditEvents = ['login', 'failed', 'session', 'logout', 'command'] as const

export const SshAuditQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 200,
    description: 'At most so many entries',
    expects: 'a number from 1 to 1000',
  }),
  user: Optional(Text(256, { minLength: 1, description: 'Only those of this user' })),
  event: Optional(OneOf(auditEvents, { description: 'Only those of this kind' })),
})
export type SshAuditQuery = Static<typeof SshAuditQuery>

export const SshAuditLogs = Type.Object({
  entries: Type.Array(
    Type.Object({
      at: Time,
      event: OneOf(auditEvents, { description: 'What happened' }),
      user: Text(256, { description: 'The user that signed in, or tried to' }),
      source: Text(253, { description: 'The address that it came from; empty if it is not known' }),
      method: Text(50, {
        description: 'How the user signed in, or what a session runs; audit for a command',
      }),
      command: Text(2000, { description: 'The command, or the subsystem of a session; empty without one' }),
    }),
    { maxItems: 1000, description: 'The latest first' },
  ),
})
export type SshAuditLogs = Static<typeof SshAuditLogs>

export const Overwrite = Type.Object({
  overwrite: Type.Boolean({
    default: false,
    description: 'Whether a file that was edited by hand is replaced',
  }),
})

import { type Change, change, type Step, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { HostLogs } from './context.ts'
import { auditLock } from './locks.ts'
import type { SshAuditForward, SshAuditLogs, SshAuditQuery, SshAuditStatus, SshAuditSwitch } from './model.ts'
import { CommandsUnsupported } from './problems.ts'
import { assertInstalled, shownTarget } from './remote.ts'
import { sshAudit, type SshAuditRow } from './store.ts'
import { targetOf } from './target.ts'

/** Reads what the SSH audit records, and whether its files are in place. */
export async function readStatus({
  queries,
  auditd,
  logForwarding,
  openssh,
}: HostLogs): Promise<SshAuditStatus> {
  const row = await queries.audit()
  const target = row.forward === 1 ? shownTarget(row) : null
  const [obstacle, state, unsupported, rules, forwarded, queued] = await Promise.all([
    openssh.obstacle(),
    openssh.stateOfAuditing(),
    auditd.obstacle(),
    auditd.stateOfRules(),
    logForwarding.stateOf('ssh-audit', target),
    logForwarding.queuedBytes('ssh-audit'),
  ])
  return {
    enabled: row.enabled === 1,
    state,
    reason: obstacle ?? '',
    commands: {
      enabled: row.commands === 1,
      supported: unsupported === undefined,
      reason: unsupported ?? '',
      state: rules,
    },
    forward: { enabled: row.forward === 1, ...shownTarget(row), state: forwarded, queued_bytes: queued },
  }
}

interface Overwriting {
  readonly overwrite: boolean
}

/** Starts or ends the audit; commands are recorded where the host supports it, unless they are declined. */
export async function toggle(
  on: HostLogs,
  { enabled, commands }: SshAuditSwitch,
  { overwrite }: Overwriting,
): Promise<Change<{ success: true }>> {
  const row = await on.queries.audit()
  await assertSshd(on, enabled)
  const unsupported = enabled && commands !== false ? await on.auditd.obstacle() : undefined
  if (commands === true && unsupported !== undefined) throw CommandsUnsupported(`commands: ${unsupported}`)
  const records = enabled && commands !== false && unsupported === undefined
  return change({
    summary: enabled ? 'Start the SSH audit' : 'End the SSH audit',
    locks: [auditLock],
    steps: await stepsOf(on, { enabled, records, overwrite }),
    rows: [rowWith(row, { enabled, commands: records })],
    reply: success,
  })
}

/** Writes the files of the audit again, as the settings have them; what was edited by hand is replaced. */
export async function rewrite(on: HostLogs): Promise<Change<{ written: string[] }>> {
  const row = await on.queries.audit()
  const [enabled, records, forwards] = [row.enabled === 1, row.commands === 1, row.forward === 1]
  await assertSshd(on, enabled)
  const target = forwards ? shownTarget(row) : null
  const isForwarded = forwards || (await on.logForwarding.stateOf('ssh-audit', null)) !== 'absent'
  if (isForwarded) await assertInstalled(on.logForwarding)
  const written = [
    ...(enabled ? ['sshd'] : []),
    ...(records ? ['commands'] : []),
    ...(forwards ? ['forward'] : []),
  ]
  return change({
    summary: 'Write the files of the SSH audit again',
    locks: [auditLock],
    steps: [
      ...(await stepsOf(on, { enabled, records, overwrite: true })),
      ...(isForwarded
        ? [step(on.logForwarding.steps.writeRules, { purpose: 'ssh-audit', target, overwrite: true })]
        : []),
    ],
    reply: { written },
  })
}

/** Sends the lines of the audit to a server, by default that of remote logging, or ends it. */
export async function forward(
  { queries, logForwarding }: HostLogs,
  { enabled, ...draft }: SshAuditForward,
  { overwrite }: Overwriting,
): Promise<Change<{ success: true }>> {
  const row = await queries.audit()
  const stored = row.server === '' ? await queries.logging() : row
  const target = targetOf(stored, draft, enabled)
  const isWritten = enabled || (await logForwarding.stateOf('ssh-audit', null)) !== 'absent'
  if (isWritten) await assertInstalled(logForwarding)
  const args = { purpose: 'ssh-audit', target: enabled ? target : null, overwrite } as const
  return change({
    summary: enabled
      ? `Send the SSH audit to ${target.server} on port ${target.port}`
      : 'Send the SSH audit to no server',
    locks: [auditLock],
    steps: isWritten ? [step(logForwarding.steps.writeRules, args)] : [],
    rows: [rowWith(row, { forward: enabled, ...target })],
    reply: success,
  })
}

/** Lists what sshd and the audit of the kernel have recorded, the latest first. */
export async function readLogs(
  { auditd, openssh }: HostLogs,
  { limit, user, event }: SshAuditQuery,
): Promise<SshAuditLogs> {
  const [sessions, commands] = await Promise.all([
    event === 'command' ? [] : openssh.auditEntries(),
    event === undefined || event === 'command' ? auditd.commands() : [],
  ])
  const recorded = commands.map((each) => ({ ...each, event: 'command' as const, method: 'audit' }))
  const entries = [...sessions, ...recorded]
    .filter(
      (each) => (user === undefined || each.user === user) && (event === undefined || each.event === event),
    )
    .toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0))
  return { entries: entries.slice(0, limit) }
}

interface Wanted extends Overwriting {
  readonly enabled: boolean
  readonly records: boolean
}

async function stepsOf(
  { auditd, openssh }: HostLogs,
  { enabled, records, overwrite }: Wanted,
): Promise<readonly Step[]> {
  const hasDropIn = (await openssh.stateOfAuditing()) !== 'absent'
  const hasRules = (await auditd.stateOfRules()) !== 'absent'
  return [
    ...(enabled || hasDropIn ? [step(openssh.steps.setAuditing, { enabled, overwrite })] : []),
    ...(records || hasRules ? [step(auditd.steps.writeRules, { enabled: records, overwrite })] : []),
  ]
}

async function assertSshd({ openssh }: HostLogs, enabled: boolean): Promise<void> {
  const obstacle = enabled ? await openssh.obstacle() : undefined
  if (obstacle !== undefined) throw Unavailable(obstacle)
}

function rowWith(row: SshAuditRow, set: object) {
  const { id: _id, revision: _revision, enabled, commands, forward: forwards, ...target } = row
  const former = { enabled: enabled === 1, commands: commands === 1, forward: forwards === 1 }
  return row.revision === 0
    ? sshAudit.insert(sshAudit.row({ id: 1, ...former, ...target, ...set }))
    : sshAudit.update(row, set)
}

import { type Change, change, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { Target } from '../../tools/log-forwarding/index.ts'
import type { HostLogs } from './context.ts'
import { loggingLock } from './locks.ts'
import type { RemoteLogging, RemoteLoggingDraft } from './model.ts'
import { remoteLogging, type RemoteLoggingRow } from './store.ts'
import { targetOf } from './target.ts'

/** Reads where the log lines of this host are sent. */
export async function readRemoteLogging({ queries, logForwarding }: HostLogs): Promise<RemoteLogging> {
  const row = await queries.logging()
  const target = targetIn(row)
  const [{ present, reason }, running, state, queued] = await Promise.all([
    logForwarding.detect(),
    logForwarding.isRunning(),
    logForwarding.stateOf('remote', target),
    logForwarding.queuedBytes('remote'),
  ])
  const obstacle = present ? (running ? '' : 'rsyslog does not run: start it under Services') : reason
  return {
    enabled: row.enabled === 1,
    ...shownTarget(row),
    state,
    queued_bytes: queued,
    running: present && running,
    reason: obstacle ?? '',
  }
}

/** Sends the log lines of this host to a server, or ends it. */
export async function changeRemoteLogging(
  { queries, logForwarding }: HostLogs,
  { enabled, ...draft }: RemoteLoggingDraft,
  { overwrite }: { readonly overwrite: boolean },
): Promise<Change<{ success: true }>> {
  const row = await queries.logging()
  const target = targetOf(row, draft, enabled)
  const isWritten = enabled || (await logForwarding.stateOf('remote', null)) !== 'absent'
  if (isWritten) await assertInstalled(logForwarding)
  const values = { enabled, ...target }
  return change({
    summary: enabled
      ? `Send the log lines of this host to ${target.server} on port ${target.port}`
      : 'Send the log lines of this host to no other server',
    locks: [loggingLock],
    steps: isWritten
      ? [
          step(logForwarding.steps.writeRules, {
            purpose: 'remote',
            target: enabled ? target : null,
            overwrite,
          }),
        ]
      : [],
    rows: [
      row.revision === 0
        ? remoteLogging.insert(remoteLogging.row({ id: 1, ...values }))
        : remoteLogging.update(row, values),
    ],
    reply: success,
  })
}

/** Throws where rsyslog cannot be told to send lines. */
export async function assertInstalled(logForwarding: HostLogs['logForwarding']): Promise<void> {
  const { present, reason } = await logForwarding.detect()
  if (!present) throw Unavailable(`${reason ?? 'rsyslog is not installed'}: install it under Software`)
}

function targetIn(row: RemoteLoggingRow): Target | null {
  return row.enabled === 1 ? shownTarget(row) : null
}

/** The target in a row. */
export const shownTarget = ({
  server,
  port,
  protocol,
  ca,
}: Pick<RemoteLoggingRow, keyof Target>): Target => ({
  server,
  port,
  protocol,
  ca,
})

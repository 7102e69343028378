import { isSameValue, type ReplicaStatus } from '../../tools/mariadb/index.ts'
import type { SqlReplication } from './context.ts'
import { explain } from './explain.ts'
import { readLag } from './lag.ts'
import type { ReplicaError, SqlReplicationState } from './model.ts'
import { skippedIn } from './replica.ts'
import { readOptions } from './role.ts'
import type { RoleRow } from './store.ts'

/** Reads the role of this server, and what it does. */
export async function readState(on: SqlReplication): Promise<SqlReplicationState> {
  const values = await readOptions(on)
  const { tool, queries } = on
  const [position, role, key, job] = await Promise.all([
    tool.readPosition(),
    queries.role(),
    queries.key(),
    queries.lastSync(),
  ])
  const running = await tool.readRunning(['read_only'])
  return {
    role: role?.role ?? 'none',
    server_id: position.serverId,
    is_logging: position.isLogging,
    gtid: position.gtid,
    read_only: isSameValue(running.get('read_only') ?? '', 'ON'),
    sync_key:
      key === undefined
        ? null
        : { key_prefix: key.key_prefix, created_at: key.created_at, last_used: key.last_used },
    replica: role?.role === 'replica' ? await replicaOf(on, role) : null,
    sync_job:
      job === undefined
        ? null
        : { id: job.id, state: job.state, percent: job.percent, message: job.message ?? '' },
    slave_skip_errors: skippedIn(values),
  }
}

async function replicaOf(on: SqlReplication, { url, host, port }: RoleRow) {
  const status = await on.tool.readReplica()
  const named = { url, host, port }
  if (status === undefined)
    return {
      ...named,
      ...{ state: 'unsynchronised' as const, lag_seconds: null, lag_source: null, lag_history: [] },
      ...{ received_gtid: '', error: null },
    }
  const lag = await readLag(on.tool, status)
  return {
    ...named,
    state: stateOf(status),
    lag_seconds: lag.seconds,
    lag_source: lag.source,
    lag_history: [...on.lags.list(new Date())],
    received_gtid: status.receivedGtid,
    error: await errorOf(on, status),
  }
}

/** Says in one word what a replica does. */
export function stateOf({
  isApplyError,
  isApplying,
  isReceiving,
  isReceiverStarted,
  errorNumber,
}: ReplicaStatus): NonNullable<SqlReplicationState['replica']>['state'] {
  if (isApplyError || (errorNumber !== 0 && !isReceiverStarted)) return 'broken'
  if (!isApplying || !isReceiverStarted) return 'stopped'
  return isReceiving ? 'running' : 'connecting'
}

async function errorOf({ tool }: SqlReplication, status: ReplicaStatus): Promise<ReplicaError | null> {
  const { errorNumber: number, errorMessage: message, isApplyError } = status
  if (number === 0) return null
  const failed = isApplyError ? await tool.readFailedChange(status).catch(() => undefined) : undefined
  return {
    number,
    message: message.slice(0, 4000),
    ...explain({ number, isApplyError }),
    gtid: failed?.gtid ?? null,
    statements: [...(failed?.statements ?? [])],
  }
}

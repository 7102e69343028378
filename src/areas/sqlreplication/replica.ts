import { randomBytes } from 'node:crypto'
import { type Change, change, type Step, step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { Problem } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
import { success } from '../../core/reply.ts'
import { isMasked } from '../../core/secret.ts'
import { ownNames } from '../../host/self-signed.ts'
import { isSameValue } from '../../tools/mariadb/index.ts'
import { panelUrl, syncKeyId } from '../sync-key.ts'
import type { SqlReplication } from './context.ts'
import type { ConnectDraft, Connected, Skipped } from './model.ts'
import { NotBroken, NotReplica, NotSynchronised, PeerInvalid, RoleTaken } from './problems.ts'
import { loadReplica, peerOf, readOptions, serverIdIn, serverLock, setting, sharedOptions } from './role.ts'
import { databasesOf } from './steps.ts'
import { roleId, sqlReplicas, sqlReplication, sqlSyncKeys } from './store.ts'

/** Connects this server to a primary: an account there, and the options of a replica here. Its data stay as they are. */
export async function connectTo(
  on: SqlReplication,
  draft: ConnectDraft,
  { now, signal }: Pick<Deciding, 'now' | 'signal'>,
): Promise<Change<Connected>> {
  if (isMasked(draft.sync_key) || !/^[\x21-\x7e]+$/.test(draft.sync_key))
    throw PeerInvalid('sync_key: must be the key that the other panel has generated')
  const url = panelUrl(draft.url, PeerInvalid)
  const role = await on.queries.role()
  if (role !== undefined)
    throw RoleTaken(
      role.role === 'primary'
        ? 'This SQL server is a primary: delete its replication first'
        : `This SQL server follows ${role.host}: delete its replication first`,
    )
  const values = await readOptions(on)
  const pin = await on.peers.readPin(url, signal)
  const peer = { url, key: draft.sync_key, pin }
  await databasesOf(on.peers, peer, signal) // a wrong key is refused before anything is changed
  const serverId = serverIdIn(values)
  const password = randomBytes(32).toString('base64url')
  const name = draft.name?.trim() || ownNames().commonName
  const joining = step(on.steps.joinPrimary, { ...peer, name, serverId, password })
  const row = sqlReplication.row({
    ...{ id: roleId, role: 'replica', url, pin, created_at: now.toISOString() },
    ...{ host: new URL(url).hostname.replaceAll(/[[\]]/g, ''), port: from(joining, 'port') },
    ...{ username: from(joining, 'username'), certificate: from(joining, 'certificate') },
    ...{ sealed_key: on.store.seal(draft.sync_key), sealed_password: on.store.seal(password) },
  })
  return change({
    summary: `Connect this SQL server to the primary ${new URL(url).host}`,
    locks: [serverLock],
    steps: [...setting(on, values, { ...sharedOptions(values, serverId), read_only: 'ON' }), joining],
    rows: [sqlReplication.insert(row)],
    details: ['Clients without a special right can change nothing on a replica'],
    reply: { success: true, pinned: pin !== '' },
  })
}

/** The step that has this server follow its primary from the position that it has. */
export function following(on: SqlReplication, row: Awaited<ReturnType<typeof loadReplica>>): Step<null> {
  const { host, port, username: user, certificate } = row
  const password = on.store.unseal(row.sealed_password)
  return step(on.tool.steps.followPrimary, { host, port, user, password, certificate })
}

async function loadSynchronised(on: SqlReplication) {
  const row = await loadReplica(on)
  const status = await on.tool.readReplica()
  if (status === undefined) throw NotSynchronised()
  return { row, status }
}

/** Starts the replication of a replica, or stops it. */
export async function switchReplication(
  on: SqlReplication,
  verb: 'start' | 'stop',
): Promise<Change<{ success: true }>> {
  const { row } = await loadSynchronised(on)
  return change({
    summary: `${verb === 'start' ? 'Start' : 'Stop'} the replication from ${row.host}`,
    locks: [serverLock],
    steps: [step(on.tool.steps.switchReplica, { verb })],
    reply: success,
  })
}

/** Stops and starts the replication of a replica, so that it tries again at once. */
export async function restartReplication(on: SqlReplication): Promise<Change<{ success: true }>> {
  const { row } = await loadSynchronised(on)
  return change({
    summary: `Start the replication from ${row.host} again`,
    locks: [serverLock],
    steps: [step(on.tool.steps.restartReplica, null)],
    reply: success,
  })
}

/** Leaves out the change at which the replica stopped, and says which it is. */
export async function skipError(on: SqlReplication): Promise<Change<Skipped>> {
  const { status } = await loadSynchronised(on).catch((error: unknown) => {
    const isIdle =
      error instanceof Problem && [NotReplica, NotSynchronised].some((kind) => kind === error.kind)
    throw isIdle ? NotBroken() : error
  })
  if (!status.isApplyError) throw NotBroken()
  const failed = await on.tool.readFailedChange(status)
  const statements = [...failed.statements]
  const skipping = step(on.tool.steps.skipChange, { gtid: failed.gtid, statements })
  return change({
    summary: `Leave out the change ${failed.gtid} on this replica`,
    locks: [serverLock],
    steps: [skipping],
    details: [`It was: ${status.errorMessage.slice(0, 1000)}`],
    reply: {
      gtid: failed.gtid,
      statements,
      error: status.errorMessage.slice(0, 4000),
      is_stopped_again: from(skipping, 'is_stopped_again'),
    },
  })
}

/** Sets which errors this server passes over when it applies changes. */
export async function setSkippedErrors(
  on: SqlReplication,
  errors: readonly number[],
): Promise<Change<{ success: true }>> {
  const values = await readOptions(on)
  const sorted = [...new Set(errors)].toSorted((one, other) => one - other)
  const wanted = sorted.length === 0 ? null : sorted.join(',')
  const isSame = isSameValue(skippedIn(values), wanted ?? '')
  return change({
    summary:
      sorted.length === 0
        ? 'Let replication stop at every error'
        : `Let replication pass over the errors ${sorted.join(', ')}`,
    locks: [serverLock],
    steps: isSame ? [] : [step(on.tool.steps.setOptions, { options: { slave_skip_errors: wanted } })],
    details:
      sorted.length === 0
        ? []
        : ['Each change that fails with one of them is lost on this replica, and nothing reports it'],
    reply: success,
  })
}

/** Returns the errors that are passed over, as the option has them; empty for none. */
export function skippedIn(values: ReadonlyMap<string, string>): string {
  const value = values.get('slave_skip_errors') ?? ''
  return value === 'OFF' ? '' : value
}

/** Copies the accounts of the primary to this replica. */
export async function copyAccounts(on: SqlReplication): Promise<Change<{ accounts: number }>> {
  const row = await loadReplica(on)
  const copying = step(on.steps.copyAccounts, peerOf(on, row))
  return change({
    summary: `Copy the accounts of ${row.host}`,
    locks: [serverLock],
    steps: [copying],
    reply: { accounts: from(copying, 'accounts') },
  })
}

/** Ends the role of this server: a replica keeps its data and can be changed again, a primary is followed no more. */
export async function removeReplication(
  on: SqlReplication,
): Promise<Change<{ success: true; message: string }>> {
  const role = await on.queries.role()
  if (role === undefined)
    return change({
      summary: 'Delete the replication of this SQL server',
      reply: { success: true, message: 'This SQL server has no role in replication' },
    })
  const replicas = await on.queries.replicas()
  const values = role.role === 'replica' ? await readOptions(on) : undefined
  const steps = values
    ? [step(on.tool.steps.forgetPrimary, null), ...setting(on, values, { read_only: 'OFF' })]
    : replicas.map(({ username }) => step(on.tool.steps.setReplicaAccount, { username, hash: null }))
  return change({
    summary: 'Delete the replication of this SQL server',
    locks: [serverLock],
    steps,
    rows: [
      sqlReplication.delete({ id: roleId }),
      sqlSyncKeys.delete({ id: syncKeyId }),
      ...replicas.map(({ id }) => sqlReplicas.delete({ id })),
    ],
    reply: {
      success: true,
      message: values
        ? 'This SQL server follows no other any more: its data stay, and it can be changed'
        : 'No server can follow this one any more',
    },
  })
}

import { randomBytes } from 'node:crypto'
import { type Change, change, type Step, step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import type { KeyVerdict } from '../../core/guard.ts'
import { from } from '../../core/returned.ts'
import { success } from '../../core/reply.ts'
import { hashOf, replicaPrefix } from '../../tools/mariadb/index.ts'
import { isSyncKey, newSyncKey, syncKeyId } from '../sync-key.ts'
import type { SqlReplication } from './context.ts'
import type {
  AcceptDraft,
  Accepted,
  NewPrimary,
  NewReplica,
  PrimaryDraft,
  PrimaryReady,
  Replica,
  ReplicaDraft,
} from './model.ts'
import { NotPrimary, ReplicaInvalid, ReplicaTaken, RoleTaken } from './problems.ts'
import {
  certificatePathIn,
  primaryOptions,
  readOptions,
  serverIdIn,
  serverLock,
  setting,
  sharedOptions,
} from './role.ts'
import { roleId, sqlReplicas, sqlReplication, sqlSyncKeys } from './store.ts'

type Request = Pick<Deciding, 'id' | 'now'>

/** Compares a key that another panel sends with that of this one, and records its use. */
export async function verdictOnSyncKey({ queries }: SqlReplication, sent: string): Promise<KeyVerdict> {
  const row = await queries.key()
  if (row === undefined || !isSyncKey(row, sent)) return 'wrong'
  await queries.markKeyUsed(new Date())
  return 'valid'
}

async function preparation(on: SqlReplication) {
  const values = await readOptions(on)
  const serverId = serverIdIn(values)
  const options = { ...sharedOptions(values, serverId), ...primaryOptions(values) }
  const certifying = step(on.tool.steps.makeCertificate, { path: certificatePathIn(values) })
  return {
    values,
    serverId,
    certifying,
    steps: [certifying, ...setting(on, values, options)],
  }
}

async function primaryRows(on: SqlReplication, now: Date) {
  const row = await on.queries.role()
  if (row?.role === 'replica')
    throw RoleTaken(`This SQL server follows ${row.host}: delete its replication first`)
  if (row !== undefined) return []
  const none = { url: '', pin: '', sealed_key: '', host: '', port: 0, username: '', sealed_password: '' }
  const created_at = now.toISOString()
  return [
    sqlReplication.insert(
      sqlReplication.row({ id: roleId, role: 'primary', ...none, certificate: '', created_at }),
    ),
  ]
}

/** Makes this server a primary, with a key for the panels of its replicas. */
export async function makePrimary(
  on: SqlReplication,
  { new_key = false }: PrimaryDraft,
  now: Date,
): Promise<Change<NewPrimary>> {
  const { serverId, steps } = await preparation(on)
  const rows = await primaryRows(on, now)
  const hasKey = (await on.queries.key()) !== undefined
  const generated = hasKey && !new_key ? undefined : newSyncKey(now)
  return change({
    summary: 'Make this SQL server a primary',
    locks: [serverLock],
    steps,
    rows: [
      ...rows,
      ...(generated && hasKey ? [sqlSyncKeys.delete({ id: syncKeyId })] : []),
      ...(generated ? [sqlSyncKeys.insert(sqlSyncKeys.row(generated.row))] : []),
    ],
    reply: { success: true, server_id: serverId, sync_key: generated?.key ?? null },
  })
}

/** Makes this server ready for the replica that asks. */
export async function setUpPrimary(on: SqlReplication, now: Date): Promise<Change<PrimaryReady>> {
  const { serverId, steps, values, certifying } = await preparation(on)
  return change({
    summary: 'Make this SQL server a primary, as the panel of a replica asks',
    locks: [serverLock],
    steps,
    rows: await primaryRows(on, now),
    reply: {
      server_id: serverId,
      port: Number(values.get('port')) || 3306,
      certificate: from(certifying, 'certificate'),
    },
  })
}

async function freeAccount(on: SqlReplication, name: string, { id }: Request) {
  const role = await on.queries.role()
  // an account that is made on a replica would be a change of its own, at which its replication stops
  if (role?.role === 'replica')
    throw NotPrimary(`This SQL server follows ${role.host}: add replicas to that one`)
  if (role === undefined) throw NotPrimary('This SQL server is no primary: make it one first')
  if (!(await on.tool.readPosition()).isLogging) throw NotPrimary()
  const known = await on.queries.replicaNamed(name)
  const rowId = known?.id ?? id(sqlReplicas.name)
  return { known, rowId, username: `${replicaPrefix}${rowId}` }
}

/** The table of heartbeats comes first, so that the dump which the replica loads has it. */
const joining = (
  { tool: { steps } }: SqlReplication,
  username: string,
  password: string,
): readonly Step[] => [
  step(steps.prepareHeartbeat, null),
  step(steps.setReplicaAccount, { username, hash: hashOf(password) }),
]

/** Gives a replica an account with the password that it has drawn; a replica of the same name gets it again. */
export async function acceptReplica(
  on: SqlReplication,
  draft: AcceptDraft,
  request: Request,
): Promise<Change<Accepted>> {
  const name = draft.name.trim()
  if (name === '') throw ReplicaInvalid('name: must not be empty')
  const { known, rowId, username } = await freeAccount(on, name, request)
  if (draft.server_id === (await on.tool.readPosition()).serverId)
    throw ReplicaInvalid(`server_id: ${draft.server_id} is that of this server: the replica needs another`)
  const created_at = request.now.toISOString()
  const row = sqlReplicas.row({ id: rowId, name, username, server_id: draft.server_id, created_at })
  return change({
    summary: `Accept the replica ${name}`,
    locks: [serverLock],
    steps: joining(on, username, draft.password),
    rows: [...(known ? [sqlReplicas.delete({ id: known.id })] : []), sqlReplicas.insert(row)],
    reply: { username },
  })
}

/** Adds a replica that no panel runs: its account, the password of which only the reply shows. */
export async function addReplica(
  on: SqlReplication,
  draft: ReplicaDraft,
  request: Request,
): Promise<Change<NewReplica>> {
  const name = draft.name.trim()
  if (name === '') throw ReplicaInvalid('name: must not be empty')
  const { known, rowId, username } = await freeAccount(on, name, request)
  if (known !== undefined) throw ReplicaTaken(`name: there is a replica ${name}`)
  const values = await readOptions(on)
  const password = randomBytes(32).toString('base64url')
  const created_at = request.now.toISOString()
  return change({
    summary: `Add the replica ${name}`,
    locks: [serverLock],
    steps: joining(on, username, password),
    rows: [sqlReplicas.insert(sqlReplicas.row({ id: rowId, name, username, server_id: 0, created_at }))],
    reply: {
      id: rowId,
      name,
      username,
      password,
      port: Number(values.get('port')) || 3306,
      certificate: (await on.tool.readCertificate(certificatePathIn(values))) ?? '',
    },
  })
}

/** Lists the replicas, and which of them receive changes now. */
export async function listReplicas({ queries, tool }: SqlReplication): Promise<Replica[]> {
  const rows = await queries.replicas()
  if (rows.length === 0) return []
  const followers = await tool.listFollowers()
  return rows.map(({ id, name, username, server_id, created_at }) => {
    const follower = followers.find(({ user }) => user === username)
    return {
      ...{ id, name, username, server_id, created_at },
      connected: follower !== undefined,
      up_to_date: follower?.hasAll ?? null,
      address: follower?.address ?? null,
    }
  })
}

/** Removes a replica with its account: it receives nothing more, and keeps its data. */
export async function deleteReplica(on: SqlReplication, id: number): Promise<Change<{ success: true }>> {
  const { name, username } = await on.queries.replica(id)
  return change({
    summary: `Remove the replica ${name}`,
    locks: [serverLock],
    steps: [step(on.tool.steps.setReplicaAccount, { username, hash: null })],
    rows: [sqlReplicas.delete({ id })],
    reply: success,
  })
}

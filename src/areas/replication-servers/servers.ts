import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock } from '../../core/lock.ts'
import { success } from '../../core/reply.ts'
import { isMasked } from '../../core/secret.ts'
import { hostnameFromTyped } from '../../core/typed-hostname.ts'
import { isAddress } from '../../host/fetch/index.ts'
import { checkPeer, isHost, messageUnless, peerAt } from '../peer.ts'
import type { Replication } from './context.ts'
import { learnKey } from './learn-key.ts'
import type { ReplicationServer, ServerDraft, ServerEdit } from './model.ts'
import { NothingToUpdate, ServerInvalid, ServerTaken, ServerUsed } from './problems.ts'
import { actions, type ServerRow, servers } from './store.ts'

export const serverLock = lock('replication_server')

type Now = Pick<Deciding, 'now'>

/** Lists the other servers, by name. */
export async function listServers(on: Replication): Promise<ReplicationServer[]> {
  const rows = await on.queries.all()
  return Promise.all(rows.map((row) => showServer(on, row)))
}

/** Reads one server. */
export const readServer = (on: Replication, row: ServerRow): Promise<ReplicationServer> => showServer(on, row)

/** Adds a server; it is sent nothing before it was tested and a category is enabled. */
export async function addServer(
  on: Replication,
  draft: ServerDraft,
  { id, now, caller }: Deciding,
): Promise<Change<ReplicationServer>> {
  const { name, host, port, api_key, public_key = '' } = draft
  const named = { name: checkedName(name), host: checkedHost(host), port }
  const key = checkedKey(api_key)
  await refuseTaken(on, named, undefined)
  const at = now.toISOString()
  const row = servers.row({
    ...{ id: id(servers.name), ...named, public_key, sealed_key: on.store.seal(key) },
    ...{ may_be_internal: caller.user.isAdmin, is_enabled: true, status: 'active', message: '' },
    ...{ created_at: at, updated_at: at },
  })
  return change({
    summary: `Add the replication server ${row.name}`,
    locks: [serverLock(row.name)],
    rows: [servers.insert(row)],
    reply: await showServer(on, row),
  })
}

/** Writes the given fields of a server. A host, another port or an API key replaces the public key (decision 3.15). */
export async function editServer(
  on: Replication,
  row: ServerRow,
  edit: ServerEdit,
  { now, caller }: Now & Pick<Deciding, 'caller'>,
): Promise<Change<{ success: true }>> {
  const { name = '', host = '', port = 0, api_key = '', public_key } = edit
  const isKeyGiven = api_key !== '' && !isMasked(api_key)
  const isReplaced = host !== '' || isKeyGiven || (port > 0 && port !== row.port)
  const set = {
    ...(name !== '' && { name: checkedName(name) }),
    ...(host !== '' && { host: checkedHost(host) }),
    ...(port > 0 && { port }),
    ...(isKeyGiven && { sealed_key: on.store.seal(checkedKey(api_key)) }),
    ...((isReplaced || public_key !== undefined) && { public_key: public_key ?? '' }),
  }
  if (Object.keys(set).length === 0) throw NothingToUpdate()
  const next = servers.changed(row, set)
  await refuseTaken(on, next, row.id)
  const isMoved = next.host !== row.host || next.port !== row.port
  if (isMoved && !isKeyGiven && !caller.user.isAdmin)
    throw ServerInvalid(
      `api_key: must be entered for another host or port: the stored key is for ${row.host}`,
    )
  return change({
    summary: `Change the replication server ${row.name}`,
    locks: [serverLock(row.name), serverLock(next.name)],
    rows: [
      servers.update(row, {
        ...set,
        ...(isMoved && { may_be_internal: caller.user.isAdmin }),
        updated_at: now.toISOString(),
      }),
    ],
    reply: success,
  })
}

/** Deletes a server and its log, unless it gets websites from here. */
export async function deleteServer(on: Replication, row: ServerRow): Promise<Change<{ success: true }>> {
  const { id } = row
  const used = await replicationsOf(on, id)
  if (used > 0) throw ServerUsed(`Cannot delete: ${used} replications use this server`)
  const pending = await on.queries.count(id, { status: 'pending' })
  return change({
    summary: `Delete the replication server ${row.name}`,
    locks: [serverLock(row.name)],
    details: lossOf(pending),
    rows: [actions.delete({ server_id: id }), servers.delete({ id })],
    reply: success,
  })
}

/** States in a plan what a server never gets; nothing where no request waits. */
export const lossOf = (pending: number): readonly string[] =>
  pending === 0
    ? []
    : [
        `${pending} waiting request${pending === 1 ? ' is' : 's are'} lost: the server never gets ${pending === 1 ? 'it' : 'them'}`,
      ]

/** The enabled replication of websites, and their changes that wait. */
async function replicationsOf({ queries }: Replication, id: number): Promise<number> {
  const switched = await queries.switchesOf(id)
  const isOn = switched.some(({ category, is_enabled }) => category === 'websites' && is_enabled === 1)
  return Number(isOn) + (await queries.waitingWebsites(id))
}

/** Enables or disables a server; what is changed while it is disabled waits for it. */
export function toggleServer(
  row: ServerRow,
  { enabled }: { readonly enabled: boolean },
  { now }: Now,
): Change<{ success: true; status: 'active' | 'disabled' }> {
  const status = enabled ? ('active' as const) : ('disabled' as const)
  return change({
    summary: `${enabled ? 'Enable' : 'Disable'} the replication server ${row.name}`,
    locks: [serverLock(row.name)],
    rows: [servers.update(row, { is_enabled: enabled, status, message: '', updated_at: now.toISOString() })],
    reply: { success: true as const, status },
  })
}

/**
 * Asks a server whether it can be reached with its key, and records the outcome. Its public key is kept at the
 * first contact, and replaced if the caller trusts the one that it shows now.
 */
export async function testServer(
  { queries, store, fetch }: Replication,
  row: ServerRow,
  { trust }: { readonly trust: boolean },
  { caller, now, signal }: Pick<Deciding, 'caller' | 'now' | 'signal'>,
) {
  let tested = row
  const check = async () => {
    if (trust || row.public_key === '') tested = await learnKey({ queries, fetch }, row, caller.user, signal)
    const peer = peerAt(tested, store.unseal(row.sealed_key), caller.user)
    await checkPeer(fetch, { ...peer, orTrusted: true }, signal)
  }
  const message = (await check().then(() => '', messageUnless(signal))).replace(/^url: /, '')
  const status = message === '' ? ('active' as const) : ('error' as const)
  await queries.record(row.id, { status, message, last_check: now.toISOString() })
  return { status, message, public_key: tested.public_key }
}

function checkedName(typed: string): string {
  const name = typed.trim()
  if (name === '') throw ServerInvalid('name: must not be empty')
  return name
}

function checkedHost(typed: string): string {
  const text = typed.trim().toLowerCase()
  const host = hostnameFromTyped(text)
  const isRewritten = isAddress(host) && !text.includes(host) // 256, which is 0.0.1.0 in a URL
  if (isRewritten || !isHost(host))
    throw ServerInvalid('host: must be a host name such as panel2.example.com, or an IP address')
  return host
}

function checkedKey(key: string): string {
  if (isMasked(key) || !/^[\x21-\x7e]+$/.test(key))
    throw ServerInvalid('api_key: must be a key that was created on the other panel')
  return key
}

async function refuseTaken(
  { queries }: Replication,
  { name, host, port }: Pick<ServerRow, 'name' | 'host' | 'port'>,
  own: number | undefined,
): Promise<void> {
  const named = await queries.named(name)
  if (named !== undefined && named.id !== own) throw ServerTaken(`name: there is a server ${name}`)
  const same = await queries.at(host, port)
  if (same !== undefined && same.id !== own)
    throw ServerTaken(`host: the server ${same.name} has this host and port`)
}

async function showServer({ store, queries }: Replication, row: ServerRow): Promise<ReplicationServer> {
  const { may_be_internal: _internal, is_enabled, ...shown } = servers.show(row)
  return {
    ...shown,
    api_key: store.unseal(row.sealed_key),
    enabled: is_enabled,
    pending: await queries.count(row.id, { status: 'pending' }),
  }
}

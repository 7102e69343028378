import { compiled } from '../../core/compiled.ts'
import type { Caller } from '../../core/caller.ts'
import { type Change, change, type RowWrite, step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { NotFound, Problem } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { Email } from '../../core/schemas.ts'
import { mask } from '../../core/secret.ts'
import { readUrl } from '../../host/fetch/index.ts'
import { userLock } from '../users/index.ts'
import { assertCode, isUnconfirmed } from './confirmation.ts'
import type { Notifications } from './context.ts'
import type { Channel, ChannelDraft, Channels } from './model.ts'
import { ChannelConfirmed, ChannelInvalid } from './problems.ts'
import { newSecret } from './send.ts'
import { noticed } from './source.ts'
import { type ChannelRow, channels } from './store.ts'

const email = compiled(Email)

/** Returns the channels of the caller and the kinds that there are. */
export async function listChannels(on: Notifications, { user }: Caller): Promise<Channels> {
  const rows = await on.queries.channelsOf(user.id)
  return { channels: rows.map((row) => showChannel(on, row)), kinds: kindsOf(on) }
}

const kindsOf = ({ partsOf }: Notifications) =>
  partsOf(noticed).flatMap(({ kinds }) => kinds.map(({ name, title }) => ({ name, title })))

function showChannel({ store }: Notifications, row: ChannelRow, secret?: string): Channel {
  const { user_id: _owner, allows_internal: _allowed, ...shown } = channels.show(row)
  if (row.type === 'email') return { ...shown, secret: null }
  return { ...shown, secret: secret ?? mask(store.unseal(row.sealed_secret)) }
}

/** Replaces the channels of the caller. The key of a new webhook is in the reply only. */
export function replaceChannels(
  on: Notifications,
  former: readonly ChannelRow[],
  drafts: readonly ChannelDraft[],
  { caller: { user }, now, id }: Deciding,
): Change<Channels> {
  const kept = drafts.map((draft) => former.find((row) => row.id === draft.id))
  const stored = drafts.map((draft, index) => {
    const { type, target, kinds: chosen = null, is_enabled } = draft
    const row = kept[index]
    const isSame = row?.target === target
    const values = {
      type,
      target,
      kinds: chosen,
      is_enabled,
      allows_internal: isSame ? row.allows_internal === 1 : user.isAdmin,
      confirmed_at: isSame ? row.confirmed_at : type === 'webhook' ? now.toISOString() : null,
    }
    if (row)
      return { shown: showChannel(on, channels.changed(row, values)), write: channels.update(row, values) }
    const secret = type === 'webhook' ? newSecret() : ''
    const sealed_secret = secret === '' ? '' : on.store.seal(secret)
    const created = { id: id(channels.name), user_id: user.id, ...values, sealed_secret }
    const added = channels.row({ ...created, created_at: now.toISOString() })
    return { shown: showChannel(on, added, secret), write: channels.insert(added) }
  })
  const removed = former.filter((row) => !kept.includes(row))
  const rows: RowWrite[] = [
    ...removed.map((row) => channels.delete({ id: row.id })),
    ...stored.map(({ write }) => write),
  ]
  return change({
    summary: `Set the notification channels of ${user.email}`,
    locks: [userLock(user.email)],
    rows,
    reply: { channels: stored.map(({ shown }) => shown), kinds: kindsOf(on) },
  })
}

/** Returns the channels of the caller; fails for drafts that cannot be stored, such as one of a foreign channel. */
export async function checkChannels(
  on: Notifications,
  drafts: readonly ChannelDraft[],
  { user }: Caller,
): Promise<readonly ChannelRow[]> {
  const former = await on.queries.channelsOf(user.id)
  const kinds = new Set(kindsOf(on).map(({ name }) => name))
  drafts.forEach((draft, index) => assertChannel(draft, { at: `channels/${index}`, kinds, former }))
  return former
}

interface Checked {
  /** The field of the draft in messages. */
  readonly at: string
  readonly kinds: ReadonlySet<string>
  readonly former: readonly ChannelRow[]
}

function assertChannel(
  { id, type, target, kinds }: ChannelDraft,
  { at, kinds: known, former }: Checked,
): void {
  const row = former.find((each) => each.id === id)
  if (id !== undefined && row === undefined) throw ChannelInvalid(`${at}/id: there is no channel ${id}`)
  if (row && row.type !== type)
    throw ChannelInvalid(`${at}/type: channel ${row.id} is ${row.type}; add another channel instead`)
  const unknown = kinds?.find((kind) => !known.has(kind))
  if (unknown !== undefined)
    throw ChannelInvalid(`${at}/kinds: ${unknown} is none of ${[...known].join(', ')}`)
  if (type === 'email' && !email.Check(target))
    throw ChannelInvalid(`${at}/target: must be an e-mail address`)
  if (type === 'webhook') assertUrl(target, at)
}

function assertUrl(target: string, at: string): void {
  try {
    readUrl(target)
  } catch (error) {
    if (error instanceof Problem) throw ChannelInvalid(error.message.replace(/^url:/, `${at}/target:`))
    throw error
  }
}

/** Returns the channel that a query names, if any. */
export const namedChannel = (
  on: Notifications,
  id: number | undefined,
  caller: Caller,
): Promise<ChannelRow> | null => (id === undefined ? null : loadChannel(on, id, caller))

/** Returns a channel of the caller; 404 where there is none. */
export async function loadChannel(
  { queries }: Notifications,
  id: number,
  { user }: Caller,
): Promise<ChannelRow> {
  const row = await queries.channel(id)
  if (row === undefined || row.user_id !== user.id) throw NotFound(`id: there is no channel ${id}`)
  return row
}

/** Sends a test to a channel and waits for it. */
export function testChannel(
  { tests, testStep }: Notifications,
  { id, target }: ChannelRow,
  caller: Caller,
): Change<{ success: true }> {
  tests.assertFree(caller.user.id, target)
  return change({
    summary: `Send a test to ${target}`,
    steps: [step(testStep, { channelId: id, target })],
    reply: success,
  })
}

/** Confirms a channel whose receiver has passed on the code of the mail. */
export function confirmChannel(
  { store }: Notifications,
  channel: ChannelRow,
  { code }: { readonly code: string },
  { caller: { user }, now }: Pick<Deciding, 'caller' | 'now'>,
): Change<{ success: true }> {
  if (!isUnconfirmed(channel)) throw ChannelConfirmed(`id: ${channel.target} is confirmed already`)
  assertCode(store, channel, code)
  return change({
    summary: `Confirm that ${channel.target} receives the notifications of ${user.email}`,
    locks: [userLock(user.email)],
    rows: [channels.update(channel, { confirmed_at: now.toISOString() })],
    reply: success,
  })
}

import { id, integer, oneOf, ref, revision, secret, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'
import { mostMessages } from './model.ts'

/** One row: the trial of this host. Its block is written outside changes, and never taken back. */
export const trials = table(
  'partner_trial',
  {
    id: id(),
    sealed_token: secret(),
    socket_url: text(2000),
    activated_at: time(),
    expires_at: time(),
    /** 0 or 1. */
    is_blocked: integer(),
    blocked_message: text(4000),
    revision: revision(),
  },
  { noun: 'trial', notUndone: { insert: 'a trial is activated once' } },
)
export type TrialRow = RowOf<typeof trials>

/** What users and the partner have written. Written outside changes, but for clearing. */
export const messages = table(
  'partner_messages',
  {
    id: id(),
    user_id: ref('users'),
    role: oneOf(['user', 'assistant']),
    text: text(100_000),
    created_at: time(),
  },
  { noun: 'message', notUndone: { delete: 'cleared messages are not kept' } },
)

/** One row: the bot, as the partner answered when it was last configured. */
export const channelA = table('partner_channel', {
  id: id(),
  bot_username: text(200),
  /** 0 or 1. */
  is_enabled: integer(),
  revision: revision(),
})

/** One row: the installed gateway. */
export const gateways = table(
  'partner_gateway',
  {
    id: id(),
    sealed_token: secret(),
    version: text(50),
    installed_at: time(),
    revision: revision(),
  },
  { noun: 'gateway', notUndone: { delete: 'the gateway must be installed again' } },
)

declare module '../../store/tables.ts' {
  interface Tables {
    readonly partner_trial: TrialRow
    readonly partner_messages: RowOf<typeof messages>
    readonly partner_channel: RowOf<typeof channelA>
    readonly partner_gateway: RowOf<typeof gateways>
  }
}

const mostLogLines = 500

/** Returns this area's queries. */
export function partnerQueries(store: Store) {
  const { db } = store
  return {
    trial: () => queriesOf(store, trials).find({ id: 1 }),
    channel: () => queriesOf(store, channelA).find({ id: 1 }),
    gateway: () => queriesOf(store, gateways).find({ id: 1 }),
    /** The latest messages of a user, the oldest first. */
    messagesOf: async (userId: number) => {
      const latest = await db
        .selectFrom('partner_messages')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(mostMessages)
        .execute()
      return latest.toReversed()
    },
    /** The last job of a kind. */
    lastJob: (kind: string) =>
      db
        .selectFrom('jobs')
        .select(['id', 'state', 'error'])
        .where('kind', '=', kind)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    /** What a job has printed and reported, the oldest first. */
    logOf: async (jobId: number) => {
      const latest = await db
        .selectFrom('job_events')
        .select(['seq', 'message'])
        .where('job_id', '=', jobId)
        .orderBy('seq', 'desc')
        .limit(mostLogLines)
        .execute()
      return latest.toReversed().map(({ message }) => message)
    },
  }
}

export type PartnerQueries = ReturnType<typeof partnerQueries>

/** Keeps a message of a chat, and as many of the same user before it as are shown. */
export async function keepMessage(
  store: Store,
  message: { readonly userId: number; readonly role: 'user' | 'assistant'; readonly text: string },
): Promise<void> {
  const { userId, role } = message
  const row = messages.row({
    id: store.nextId('partner_messages'),
    user_id: userId,
    role,
    text: message.text.slice(0, 100_000),
    created_at: new Date().toISOString(),
  })
  await store.transaction(async (tx) => {
    await store.write(tx, [messages.insert(row)])
    const first = await tx
      .selectFrom('partner_messages')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .offset(mostMessages)
      .limit(1)
      .executeTakeFirst()
    if (first === undefined) return
    await tx
      .deleteFrom('partner_messages')
      .where('user_id', '=', userId)
      .where('id', '<=', first.id)
      .execute()
  })
}

/** Marks the trial as blocked; nothing takes that back. */
export async function keepBlock(store: Store, message: string): Promise<void> {
  const set = { is_blocked: 1, blocked_message: message.slice(0, 4000) }
  await store.transaction((tx) => store.write(tx, [trials.updateWhere({ id: 1 }, set)]))
}

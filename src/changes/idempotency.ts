import { AlreadyDone, IdempotencyConflict, InProgress } from '../core/problem.ts'
import type { Store } from '../store/store.ts'
import type { Actor } from './actor.ts'
import type { Order, Outcome } from './executor.ts'

/** The key that a caller gave to a request, and the digest of what it asked for. */
export interface Idempotency {
  readonly key: string
  /** Of all that is known before the change is decided: of everything but the content of a file that is on its way. */
  readonly digest: string
  readonly content?: StreamedContent
}

/** A file on its way in, too large to be held: its digest is known when it was read. */
export interface StreamedContent {
  /** Undefined unless it was read to its end. */
  readonly digest: () => string | undefined
  /** Reads all of it, keeping nothing, and gives its digest. */
  readonly read: () => Promise<string | undefined>
}

const keptHours = 24

/** The change of an earlier request with this key, if there was one; a conflict when it was another request. */
export async function earlierChange(store: Store, actor: Actor, { key, digest }: Idempotency) {
  const row = await store.db
    .selectFrom('changes')
    .select(['id', 'job_id', 'state', 'reply', 'request_digest', 'created_at'])
    .where('user_id', 'is not distinct from', actor.entry.user_id)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (Date.parse(row.created_at) < Date.now() - keptHours * 3_600_000 && row.state === 'settled') {
    await store.transaction((tx) =>
      tx.updateTable('changes').set({ idempotency_key: null }).where('id', '=', row.id).execute(),
    )
    return undefined
  }
  const [earlier, content] = row.request_digest?.split(' ') ?? []
  if (earlier !== digest) throw conflict(key)
  return { ...row, content }
}

/** The answer of an earlier request with this key, if there was one; a conflict when it is another request, or still runs. */
export async function earlierAnswer(
  store: Store,
  actor: Actor,
  idempotency: Idempotency,
): Promise<Outcome<unknown> | undefined> {
  const row = await earlierChange(store, actor, idempotency)
  if (row === undefined) return undefined
  if (row.state !== 'settled') throw InProgress()
  if (row.content !== undefined && row.content !== (await idempotency.content?.read()))
    throw conflict(idempotency.key)
  if (row.reply === null) throw AlreadyDone(undefined, { fields: { change_id: row.id } })
  return { changeId: row.id, reply: JSON.parse(row.reply), isRepeat: true }
}

/** The name by which a key is held, as a lock is: of the user who sent it. */
export const keyName = (userId: number | null, key: string): string => `Idempotency-Key ${userId} ${key}`

/** The name of an order's key; none where it has no key. */
export const keyNames = ({ actor, idempotency }: Pick<Order<unknown>, 'actor' | 'idempotency'>) =>
  idempotency ? [keyName(actor.entry.user_id, idempotency.key)] : []

/** What a repeat is compared with, once the change was carried out: a content that it did not read to the end had no part in the answer. */
export function carriedOutDigest({ digest, content }: Idempotency): string {
  return [digest, content?.digest()].filter((each) => each !== undefined).join(' ')
}

function conflict(key: string): Error {
  return IdempotencyConflict(`Idempotency-Key: ${key} was used with another request`)
}

/** The keys of the requests that are being carried out, from before they decide: a repeat meanwhile is refused at once. */
export function openKeys() {
  const running = new Map<string, string>()
  return {
    claim: ({ entry }: Actor, { key, digest }: Idempotency): (() => void) => {
      const name = keyName(entry.user_id, key)
      const holder = running.get(name)
      if (holder === digest) throw InProgress()
      if (holder !== undefined) throw conflict(key)
      running.set(name, digest)
      return () => void running.delete(name)
    },
  }
}

export type Keys = ReturnType<typeof openKeys>

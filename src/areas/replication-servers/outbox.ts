import { randomUUID } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { RowWrite } from '../../core/change.ts'
import type { Category } from '../../core/endpoint.ts'
import type { Mirrored } from '../../core/mirrored.ts'
import type { Store } from '../../store/store.ts'
import { type NaturalKey, referencesOf } from './natural-keys.ts'
import { type ActionRow, actions, type ReplicationQueries } from './store.ts'

/** A request as it is sent, kept sealed. */
export const Sealed = Type.Object({
  url: Type.String(),
  body: Type.Optional(Type.String()),
  /** The user in whose name it is repeated; absent for the owner of the key. */
  as: Type.Optional(Type.String()),
  /** The ids that the other server had for the references when it was sent: it may have ended their rows since. */
  ids: Type.Optional(Type.Array(Type.Integer())),
  /** Why it must not be sent: its ids are those of other rows there, or its file is missing. */
  unsendable: Type.Optional(Type.String()),
  references: Type.Array(
    Type.Object({
      at: Type.Union([Type.Integer(), Type.String()]),
      noun: Type.String(),
      name: Type.String(),
    }),
  ),
})
export type Sealed = Static<typeof Sealed>

interface Parts {
  readonly store: Store
  readonly queries: ReplicationQueries
  readonly keys: () => readonly NaturalKey[]
}

/** Returns the rows of a request for each server that repeats its category. Their ids follow at the settling of the change. */
export async function outboxRows(
  { store, queries, keys }: Parts,
  mirrored: Mirrored,
): Promise<readonly RowWrite[]> {
  const repeating = await queries.repeating(mirrored.category)
  if (repeating.length === 0) return []
  const { category, method, url, body, isUpload, shown } = mirrored
  const references = isUpload
    ? 'a file that is uploaded is not sent on: upload it to the other server too'
    : await referencesOf(keys(), mirrored)
  const as = nameOf(mirrored)
  const sealed: Sealed = {
    url,
    ...(body !== undefined && { body }),
    ...(as !== undefined && { as }),
    ...(typeof references === 'string'
      ? { references: [], unsendable: references }
      : { references: [...references] }),
  }
  return repeating.map(({ server_id }) => actionRow(store, { server_id, category, method, sealed, shown }))
}

interface NewAction {
  readonly server_id: number
  readonly category: Category
  readonly method: ActionRow['method']
  readonly sealed: Sealed
  readonly shown: string
}

/** Returns the insert of a request for a server. */
export function actionRow(store: Store, action: NewAction): RowWrite {
  const { server_id, category, method, sealed, shown } = action
  const { unsendable = '' } = sealed
  const [path = ''] = sealed.url.split('?')
  const row: Omit<ActionRow, 'id' | 'created_at'> = {
    ...{ server_id, category, method, request_body: bodyOf(shown) },
    endpoint: path.slice(0, 4096),
    sealed_request: store.seal(JSON.stringify(sealed)),
    status: unsendable === '' ? 'pending' : 'failed',
    response_code: null,
    error_message: unsendable,
    ...{ retry_count: 0, is_over: 0, tries: 0, retry_token: '', idempotency_key: randomUUID() },
    next_try: '',
    completed_at: null,
  }
  return actions.insert({ ...row, id: 0, created_at: '' }) // both follow when it is written
}

/** The body alone, of the input that the activity log has. */
function bodyOf(shown: string): string {
  const { body, cut }: { readonly body?: unknown; readonly cut?: boolean } = JSON.parse(shown)
  if (cut === true) return '"too long to be shown"'
  return body === undefined ? '' : JSON.stringify(body)
}

/**
 * Superusers have the same rights everywhere, so that the owner of the key stands for them, but for what concerns
 * the account of the caller.
 */
function nameOf({ caller, area }: Mirrored): string | undefined {
  if (!caller?.user.email.includes('@')) return undefined // nobody, or the command line
  return caller.user.isAdmin && area !== 'auth' ? undefined : caller.user.email
}

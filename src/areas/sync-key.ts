import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Problem, type ProblemKind } from '../core/problem.ts'
import { readUrl } from '../host/fetch/index.ts'
import { id, optional, secret, text, time } from '../store/columns.ts'

/** The columns of a table whose one row is the key by which other panels reach an area of this one. */
export const syncKeyColumns = {
  id: id(),
  key_hash: secret(),
  key_prefix: text(16),
  created_at: time(),
  last_used: optional(time()),
}

/** Why such a row is not undone by id. */
export const syncKeyNotUndone = {
  insert: 'the key may be in use by other panels',
  delete: 'a deleted key does not become valid again',
  unchecked: ['last_used'],
}

/** The header in which other panels send the key. */
export const syncKeyHeader = 'X-Panel-Sync-Key'
export const syncKeyId = 1

/** Generates a key, and the values of its row, which do not contain it. */
export function newSyncKey(now: Date) {
  const key = `hrs_${randomBytes(32).toString('hex')}`
  const row = {
    id: syncKeyId,
    key_hash: hashOf(key).toString('hex'),
    key_prefix: key.slice(0, 12),
    created_at: now.toISOString(),
    last_used: null,
  }
  return { key, row }
}

/** Compares a key that was sent with that of a row; the digests have one length, and their comparison takes the same time for each key. */
export const isSyncKey = (row: { readonly key_hash: string }, sent: string): boolean =>
  timingSafeEqual(hashOf(sent), Buffer.from(row.key_hash, 'hex'))

/** The key is random: its digest tells nothing of it. */
const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Reads the address of another panel; without TLS, the key would be readable on its way. */
export function panelUrl(typed: string, invalid: ProblemKind): string {
  const url = urlIn(typed.trim(), invalid)
  if (url.protocol !== 'https:' && !loopback.has(url.hostname))
    throw invalid('url: must begin with https://, because the key is sent with each request')
  if (url.pathname !== '/' || url.search !== '')
    throw invalid('url: must be the address of a panel without a path: https://ns2.example.com:2087')
  return url.origin
}

function urlIn(typed: string, invalid: ProblemKind): URL {
  if (!URL.canParse(typed))
    throw invalid('url: must be the address of a panel such as https://ns2.example.com:2087')
  try {
    return readUrl(typed)
  } catch (cause) {
    throw cause instanceof Problem ? invalid(cause.message, { cause }) : cause
  }
}

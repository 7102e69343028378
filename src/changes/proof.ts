import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { ActivityRow } from './tables.ts'

/** The hash before the first entry. */
export const noHash = '0'.repeat(64)

/** Entries are pruned when they are older. */
export const keptDays = 365

/** Names what is signed, so that a signature of one kind cannot be taken for one of another. */
export const checkpointType = 'hostreeve-activity-checkpoint'
export const exportType = 'hostreeve-activity-export'
export const exportFormat = 1

/** What each statement with an Ed25519 signature has. */
export interface Signed {
  readonly type: string
  /** The public key: 32 bytes, in base64. */
  readonly key: string
  /** Over the canonical form of all else, in base64. */
  readonly signature: string
}

/** An entry of the chain and its hash. */
interface Link {
  readonly id: number
  readonly hash: string
}

/** A statement of the panel that an entry of the chain has this hash. */
export interface Checkpoint extends Signed, Link {
  readonly type: typeof checkpointType
  /** The first entry at which the panel has noticed a break; null if there is none. */
  readonly broken_at: number | null
  readonly created_at: string
}

/** A statement of the panel about an export as a whole: no ids are left out between both ends. */
export interface ExportHeader extends Signed {
  readonly type: typeof exportType
  readonly format: typeof exportFormat
  /** The last entry that was pruned; null if the first entry is 1. */
  readonly anchor: Link | null
  readonly newest: Link
  /** How many checkpoints are among the entries. */
  readonly checkpoints: number
  readonly broken_at: number | null
  readonly created_at: string
}

/** Writes a value of JSON in the canonical form of RFC 8785; undefined members are left out. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1)) // by UTF-16 code units, as the RFC has it
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
}

/** The hash of an entry after the one with the hash `before`: decision 0122 has the form. */
export function entryHash(before: string, row: Omit<ActivityRow, 'hash'>): string {
  const fields = [
    row.id,
    row.action,
    row.user_id,
    row.key_id,
    row.ip,
    row.method,
    row.path,
    row.request,
    row.status,
    row.duration_ms,
    row.request_id,
    row.change_id,
    row.message,
    row.created_at,
    ...(row.mcp_key_id === null ? [] : [row.mcp_key_id]), // absent from the rows of earlier panels
  ]
  // the canonical form of an array of texts, whole numbers and nulls
  return createHash('sha256').update(before).update('\n').update(JSON.stringify(fields)).digest('hex')
}

/** Signs a statement. */
export const signStatement = <S extends Omit<Signed, 'signature'>>(privateKey: KeyObject, statement: S) => ({
  ...statement,
  signature: sign(null, Buffer.from(canonical(statement)), privateKey).toString('base64'),
})

/** True if the key in the statement has signed it. Base64 has one form for each signature here. */
export function isSigned({ signature, ...statement }: Signed): boolean {
  const key = publicKeyFrom(statement.key)
  const bytes = Buffer.from(signature, 'base64')
  if (key === undefined || bytes.toString('base64') !== signature) return false
  return verify(null, Buffer.from(canonical(statement)), key, bytes)
}

/** Reads a public key of 32 bytes in base64; undefined if it is none. */
export function publicKeyFrom(text: string): KeyObject | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 32 || bytes.toString('base64') !== text) return undefined
  try {
    return createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
      format: 'jwk',
    })
  } catch {
    return undefined // not a point of the curve
  }
}

/** The 32 bytes of a public Ed25519 key in base64. */
export function base64Of(publicKey: KeyObject): string {
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('base64')
}

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Store } from '../store/store.ts'
import {
  base64Of,
  type Checkpoint,
  checkpointType,
  isSigned,
  signStatement,
  type Statement,
} from './proof.ts'
import type { CheckpointRow } from './tables.ts'

/** The seed of the key is the signature of this text: it needs no file beside the panel's key file. */
const seedText = 'seed of the Ed25519 key that signs checkpoints of the activity log'
/** A private key in PKCS #8 is this and the 32 bytes of the seed (RFC 8410). */
const pkcs8Start = Buffer.from('302e020100300506032b657004220420', 'hex')

interface ChainKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  /** The public key: 32 bytes, in base64. */
  readonly text: string
}

const keys = new WeakMap<Store, ChainKey>()

function chainKey(store: Store): ChainKey {
  const known = keys.get(store)
  if (known) return known
  const der = Buffer.concat([pkcs8Start, Buffer.from(store.sign(seedText), 'base64url')])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey)
  const key = { privateKey, publicKey, text: base64Of(publicKey) }
  keys.set(store, key)
  return key
}

/** Signs a statement about an entry with the panel's Ed25519 key. */
export const signAt = (store: Store, about: Omit<Statement, 'type' | 'key'>): Checkpoint =>
  signStatement(chainKey(store).privateKey, { ...about, type: checkpointType, key: chainKey(store).text })

/** The checkpoint of a row as others check it; undefined where an earlier panel signed. */
export function checkpointOf(store: Store, row: CheckpointRow): Checkpoint | undefined {
  const { activity_id: id, hash, ed25519: signature, broken_at, created_at } = row
  const key = chainKey(store).text
  return signature === null
    ? undefined
    : { type: checkpointType, id, hash, broken_at, created_at, key, signature }
}

/** False if the Ed25519 signature of a row is not this panel's. */
export function isSignedRow(store: Store, row: CheckpointRow): boolean {
  const checkpoint = checkpointOf(store, row)
  return checkpoint === undefined || isSigned(checkpoint)
}

/** The public key with which others check the checkpoints. */
export const publicKeyOf = (store: Store) => ({
  text: chainKey(store).text,
  pem: chainKey(store).publicKey.export({ type: 'spki', format: 'pem' }).toString(),
})

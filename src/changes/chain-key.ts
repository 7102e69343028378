import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Store } from '../store/store.ts'
import {
  base64Of,
  type Checkpoint,
  checkpointType,
  type ExportHeader,
  exportFormat,
  exportType,
  type Signed,
  signStatement,
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
export const signAt = (store: Store, about: Omit<Checkpoint, keyof Signed>): Checkpoint =>
  signStatement(chainKey(store).privateKey, { ...about, type: checkpointType, key: chainKey(store).text })

/** Signs the header of an export with the same key. */
export const signHeader = (store: Store, about: Omit<ExportHeader, keyof Signed | 'format'>): ExportHeader =>
  signStatement(chainKey(store).privateKey, {
    ...about,
    ...{ type: exportType, format: exportFormat, key: chainKey(store).text },
  })

/** The checkpoint of a row as others check it. */
export const checkpointOf = (store: Store, { activity_id: id, ...row }: CheckpointRow): Checkpoint => ({
  ...{ type: checkpointType, id, key: chainKey(store).text },
  ...row,
})

/** The public key with which others check the checkpoints. */
export const publicKeyOf = (store: Store) => ({
  text: chainKey(store).text,
  pem: chainKey(store).publicKey.export({ type: 'spki', format: 'pem' }).toString(),
})

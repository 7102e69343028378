import { generateKeyPairSync, sign } from 'node:crypto'

/** A pair of keys in PEM. */
export interface KeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

/** Generates a pair of Ed25519 keys. */
export const newKeyPair = (): KeyPair =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

/** Signs a text with a private key in PEM; returns the signature in base64. */
export const signText = (text: string, privateKey: string): string =>
  sign(null, Buffer.from(text), privateKey).toString('base64')

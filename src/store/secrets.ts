import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { writeWhole } from './whole-file.ts'

/** Encrypts values that the panel must be able to read again, and signs values that must not be forged. */
export interface Seal {
  seal(plain: string): string
  unseal(sealed: string): string
  sign(text: string): string
}

const nonceBytes = 12
const tagBytes = 16

/** The key file is missing, empty or damaged, and a store that was sealed with it exists. */
export class KeyFileMissing extends Error {
  constructor(path: string, problem: string) {
    super(
      `The key file ${path} ${problem}, and the store in its directory contains secrets sealed with it: restore it from a backup`,
    )
    this.name = 'KeyFileMissing'
  }
}

/** Reads the key file, or creates it with mode 0600 if there is none and nothing was sealed with it. */
export function openKeyFile(path: string, { mayCreate }: { readonly mayCreate: boolean }): Seal {
  const text = readText(path)
  if (text === undefined || text === '') {
    if (!mayCreate) throw new KeyFileMissing(path, text === '' ? 'is empty' : 'is missing')
    return sealWith(createKey(path)) // an empty one was left by a start on a full disk
  }
  const key = Buffer.from(text, 'base64url')
  if (key.length !== 32) throw damaged(path, mayCreate)
  chmodSync(path, 0o600)
  return sealWith(key)
}

function damaged(path: string, mayCreate: boolean): Error {
  const problem = 'does not contain a key of 32 bytes'
  if (!mayCreate) return new KeyFileMissing(path, problem)
  return new Error(`The key file ${path} ${problem}: remove it, and the panel creates a new one`)
}

/** AES-256-GCM under a key of 32 bytes; a sealed text is `v1.` and base64url of nonce, tag and ciphertext. */
export function sealWith(key: Buffer): Seal {
  return {
    seal: (plain) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    unseal: (sealed) => {
      if (!sealed.startsWith('v1.')) throw new Error('A stored secret has an unknown format')
      const bytes = Buffer.from(sealed.slice(3), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return Buffer.concat([
        decipher.update(bytes.subarray(nonceBytes + tagBytes)),
        decipher.final(),
      ]).toString('utf8')
    },
    sign: (text) => createHmac('sha256', key).update(text).digest('base64url'),
  }
}

/** False also for an empty one, which was left by a start on a full disk. */
export const hasKeyFile = (path: string): boolean => (readText(path) ?? '') !== ''

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function createKey(path: string): Buffer {
  const key = randomBytes(32)
  writeWhole(path, `${key.toString('base64url')}\n`, 0o600)
  return key
}

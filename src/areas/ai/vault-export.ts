import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { isRecord } from '../../tools/openclaw/index.ts'
import { ExportInvalid } from './problems.ts'

/** `hostreeve-vault-1.` and salt, nonce, tag and ciphertext in base64url, with dots between. */
const version = 'hostreeve-vault-1'
const saltBytes = 16
const nonceBytes = 12
const tagBytes = 16
/** 128 MiB and about a second: a passphrase is guessed outside the panel (RFC 7914). */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** Encrypts entries under a passphrase with AES-256-GCM. */
export async function sealEntries(
  entries: Readonly<Record<string, string>>,
  passphrase: string,
): Promise<string> {
  const salt = randomBytes(saltBytes)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce)
  cipher.setAAD(Buffer.from(version))
  const body = Buffer.concat([cipher.update(JSON.stringify(entries), 'utf8'), cipher.final()])
  return [
    version,
    ...[salt, nonce, cipher.getAuthTag(), body].map((part) => part.toString('base64url')),
  ].join('.')
}

/** Decrypts an export; a wrong passphrase and a damaged text cannot be told apart. */
export async function openEntries(
  sealed: string,
  passphrase: string,
): Promise<Readonly<Record<string, string>>> {
  const [found, ...parts] = sealed.split('.')
  const [salt, nonce, tag, body] = parts.map((part) => Buffer.from(part, 'base64url'))
  if (
    found !== version ||
    parts.length !== 4 ||
    salt?.length !== saltBytes ||
    nonce?.length !== nonceBytes ||
    tag?.length !== tagBytes ||
    body === undefined
  )
    throw ExportInvalid('export: is not an export of a vault')
  const decipher = createDecipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce)
  decipher.setAAD(Buffer.from(version))
  decipher.setAuthTag(tag)
  const first = decipher.update(body)
  let text: string
  try {
    text = Buffer.concat([first, decipher.final()]).toString('utf8')
  } catch {
    throw ExportInvalid('passphrase: is wrong, or the export was damaged')
  }
  const entries: unknown = JSON.parse(text)
  if (!isRecord(entries)) throw ExportInvalid('export: has no entries')
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, String(value)]))
}

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(passphrase, salt, 32, cost, (error, key) => (error === null ? resolve(key) : reject(error))),
  )
}

import { createHash } from 'node:crypto'
import { KeyInvalid } from './problems.ts'
import { bitsOf, wireStrings } from './wire.ts'

/** A public key of OpenSSH. */
export interface PublicKey {
  /** As OpenSSH names it: `ssh-ed25519`. */
  readonly type: string
  readonly bits: number
  /** `SHA256:` and 43 characters, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string
  readonly comment: string
  /** The key itself, in base64. */
  readonly base64: string
}

const curves: Readonly<Record<string, number>> = { nistp256: 256, nistp384: 384, nistp521: 521 }
const smallestRsa = 2048
const largestRsa = 16_384

/** The bits of a key from the fields after its type; undefined if they are not those of the type (RFC 4253, 5656, 8709; PROTOCOL.u2f). */
const bitsByType: Readonly<Record<string, (fields: readonly Buffer[]) => number | undefined>> = {
  'ssh-ed25519': (fields) => (fields.length === 1 ? ed25519(fields) : undefined),
  'sk-ssh-ed25519@openssh.com': (fields) => (fields.length === 2 ? ed25519(fields) : undefined),
  'ecdsa-sha2-nistp256': (fields) => (fields.length === 2 ? ecdsa(fields, 256) : undefined),
  'ecdsa-sha2-nistp384': (fields) => (fields.length === 2 ? ecdsa(fields, 384) : undefined),
  'ecdsa-sha2-nistp521': (fields) => (fields.length === 2 ? ecdsa(fields, 521) : undefined),
  'sk-ecdsa-sha2-nistp256@openssh.com': (fields) => (fields.length === 3 ? ecdsa(fields, 256) : undefined),
  'ssh-rsa': ([exponent, modulus, ...more]) =>
    exponent && modulus && more.length === 0 && bitsOf(exponent) > 1 ? bitsOf(modulus) : undefined,
}

const ed25519 = ([point]: readonly Buffer[]) => (point?.length === 32 ? 256 : undefined)

function ecdsa([curve, point]: readonly Buffer[], bits: number): number | undefined {
  const isPoint = point?.[0] === 4 && point.length === 1 + 2 * Math.ceil(bits / 8) // uncompressed: x and y
  return isPoint && curves[curve?.toString('latin1') ?? ''] === bits ? bits : undefined
}

/** The types of keys that the panel knows. */
export const keyTypes: readonly string[] = Object.keys(bitsByType)

/** Parses `type base64 comment`; undefined if it is no sound key of a type that the panel knows. */
export function parsePublicKey(text: string): PublicKey | undefined {
  const [, type = '', base64 = '', comment = ''] =
    /^(\S+)[ \t]+(\S+)(?:[ \t]+(.*))?$/s.exec(text.trim()) ?? []
  const blob = blobOf(base64)
  const [name, ...fields] = (blob && wireStrings(blob)) ?? []
  const bits = name?.toString('latin1') === type ? bitsByType[type]?.(fields) : undefined
  if (blob === undefined || bits === undefined) return undefined
  const digest = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')
  return { type, bits, fingerprint: `SHA256:${digest}`, comment: comment.trim(), base64 }
}

function blobOf(base64: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/]{16,}={0,2}$/.test(base64)) return undefined
  const blob = Buffer.from(base64, 'base64')
  return blob.toString('base64') === base64 ? blob : undefined
}

const example = 'a public key on one line such as "ssh-ed25519 AAAAC3… name@computer"'

/** Parses a key that a person adds; the failure states what is wrong with it and what would be right. */
export function readNewKey(text: string): PublicKey {
  const line = text.trim()
  const refusal = refusalOf(line)
  if (refusal !== undefined) throw KeyInvalid(`public_key: ${refusal}`)
  const key = parsePublicKey(line)
  if (key === undefined) throw KeyInvalid(`public_key: is damaged or cut off; paste ${example}`)
  if (key.type === 'ssh-rsa' && (key.bits < smallestRsa || key.bits > largestRsa))
    throw KeyInvalid(
      `public_key: is an RSA key of ${key.bits} bits; use one of ${smallestRsa} to ${largestRsa} bits, or Ed25519`,
    )
  return key
}

function refusalOf(line: string): string | undefined {
  if (line === '') return `is empty; paste ${example}`
  if (/PRIVATE KEY|^PuTTY-User-Key-File/.test(line))
    return 'is a private key: keep it to yourself, and paste the public one, from the file that ends in .pub'
  if (/^-{4,5} ?BEGIN/.test(line))
    return 'is in another format than that of OpenSSH: convert it with ssh-keygen -i -f FILE'
  if (/[\r\n]/.test(line)) return 'has several lines; add one key at a time, on one line'
  // a terminal that shows the file would obey control characters
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(line)) return `contains control characters; paste ${example}`
  return refusalOfType(line.split(/[ \t]/, 1)[0] ?? '', line)
}

function refusalOfType(type: string, line: string): string | undefined {
  if (keyTypes.includes(type)) return undefined
  if (type === 'ssh-dss') return 'is a DSA key, which sshd no longer accepts; use Ed25519'
  if (/-cert-v0\d@openssh\.com$/.test(type)) return 'is a certificate; paste the public key itself'
  if (keyTypes.some((known) => line.includes(`${known} AAAA`)))
    return `begins with options, which are not accepted here; paste ${example}`
  return `is of an unknown type; use one of ${keyTypes.join(', ')}`
}

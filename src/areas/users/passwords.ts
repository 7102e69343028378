import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { BadRequest } from '../../core/problem.ts'
import { Semaphore } from '../../core/semaphore.ts'

const argon2id = promisify(argon2) as (algorithm: 'argon2id', parameters: object) => Promise<Buffer>
// Each hash takes 19 MiB and a core. One at a time leaves the memory and the other cores to requests; sign-ins
// are few, and limited by address.
const hashing = new Semaphore(1)
const derive = (parameters: object): Promise<Buffer> => hashing.run(() => argon2id('argon2id', parameters))
const cost = { parallelism: 1, memory: 19_456, passes: 2, tagLength: 32 }

/**
 * Hashes a new password with argon2id (RFC 9106; 19 MiB, 2 passes, as OWASP advises). It must not be the user's
 * e-mail address; `field` is where it came from.
 */
export async function hashNewPassword(email: string, password: string, field = 'password'): Promise<string> {
  if (password.toLowerCase() === email.toLowerCase())
    throw BadRequest(`${field}: must not be the e-mail address`)
  const nonce = randomBytes(16)
  const tag = await derive({ message: password, nonce, ...cost })
  return `argon2id$${cost.memory}$${cost.passes}$${nonce.toString('base64url')}$${tag.toString('base64url')}`
}

/** Compares in constant time. An unknown user costs the same as a wrong password when `hash` is `noPassword`. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [algorithm, memory, passes, nonce, tag] = hash.split('$')
  if (algorithm !== 'argon2id' || nonce === undefined || tag === undefined) return false
  const wanted = Buffer.from(tag, 'base64url')
  const given = await derive({
    message: password,
    nonce: Buffer.from(nonce, 'base64url'),
    parallelism: 1,
    memory: Number(memory),
    passes: Number(passes),
    tagLength: wanted.length,
  })
  return timingSafeEqual(wanted, given)
}

/** A hash that no password matches. */
export const noPassword = `argon2id$${cost.memory}$${cost.passes}$${'A'.repeat(22)}$${'A'.repeat(43)}`

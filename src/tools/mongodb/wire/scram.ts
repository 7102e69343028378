import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** One account with its password. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

const leastIterations = 4096
const mostIterations = 1_000_000
const derive = promisify(pbkdf2)

/**
 * Begins SCRAM-SHA-256 (RFC 5802, RFC 7677). The names and passwords of the panel are ASCII, which SASLprep
 * leaves as it is.
 */
export function beginScram({ username, password }: Credentials, nonce = randomBytes(24).toString('base64')) {
  const bare = `n=${username.replaceAll('=', '=3D').replaceAll(',', '=2C')},r=${nonce}`
  return {
    first: Buffer.from(`n,,${bare}`),
    /** Answers the challenge of the server; throws where it is none for this exchange. */
    answer: async (challenge: Buffer) => {
      const fields = fieldsOf(challenge)
      const [combined = '', salt = '', count = ''] = ['r', 's', 'i'].map((name) => fields.get(name))
      const iterations = Number(count)
      if (!combined.startsWith(nonce) || combined.length === nonce.length)
        throw new Error('the server answered for another exchange')
      if (!(iterations >= leastIterations && iterations <= mostIterations))
        throw new Error(`the server asks for ${count} rounds of the password`)
      const salted = await derive(password, Buffer.from(salt, 'base64'), iterations, 32, 'sha256')
      const unproved = `c=biws,r=${combined}`
      const signed = `${bare},${challenge.toString()},${unproved}`
      const clientKey = hmac(salted, 'Client Key')
      const signature = hmac(createHash('sha256').update(clientKey).digest(), signed)
      const proof = clientKey.map((byte, index) => byte ^ (signature[index] ?? 0))
      return {
        final: Buffer.from(`${unproved},p=${Buffer.from(proof).toString('base64')}`),
        /** Throws where the server does not know the password either. */
        assertServer: (last: Buffer) => {
          const given = Buffer.from(fieldsOf(last).get('v') ?? '', 'base64')
          const expected = hmac(hmac(salted, 'Server Key'), signed)
          if (given.length !== expected.length || !timingSafeEqual(given, expected))
            throw new Error('the server could not prove that it knows the password')
        },
      }
    },
  }
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const fieldsOf = (message: Buffer): ReadonlyMap<string, string> =>
  new Map(
    message
      .toString()
      .split(',')
      .map((field) => [field.slice(0, 1), field.slice(2)]),
  )

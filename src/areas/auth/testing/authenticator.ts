import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What an authenticator may do wrong. */
interface Flaws {
  /** Default: that of the authenticator. */
  readonly origin?: string
  readonly counter?: number
  /** False if the user was not verified. Default: true. */
  readonly isVerified?: boolean
  /** The format of the attestation. Default: none. */
  readonly format?: string
}

/** An authenticator in software with one ES256 key (WebAuthn Level 3, attestation `none`). */
export interface Authenticator {
  readonly id: string
  create(challenge: string, flaws?: Flaws): object
  get(challenge: string, flaws?: Flaws): object
}

const userPresent = 0x01
const userVerified = 0x04
const attested = 0x40

/** Makes an authenticator for an origin. */
export function makeAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  let counter = 0
  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const authenticatorData = (
    flags: number,
    { counter: count = ++counter, isVerified = true }: Flaws,
    more = Buffer.alloc(0),
  ) => {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags | userPresent | (isVerified ? userVerified : 0))
    head.writeUInt32BE(count, 1)
    return Buffer.concat([sha256(new URL(origin).hostname), head, more])
  }
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coseKey = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]), // EC2, ES256, P-256
    Buffer.from([0x21, 0x58, 0x20]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, 'base64url'),
  ])
  return {
    id,
    create: (challenge, flaws = {}) => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey])
      const data = authenticatorData(attested, flaws, credential)
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText(flaws.format ?? 'none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      return credentialOf(id, {
        clientDataJSON: clientData('webauthn.create', challenge, flaws.origin ?? origin).toString(
          'base64url',
        ),
        attestationObject: attestation.toString('base64url'),
      })
    },
    get: (challenge, flaws = {}) => {
      const client = clientData('webauthn.get', challenge, flaws.origin ?? origin)
      const data = authenticatorData(0, flaws)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return credentialOf(id, {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: null,
      })
    },
  }
}

const credentialOf = (id: string, response: object) => ({ id, rawId: id, type: 'public-key', response })
const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest()
const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

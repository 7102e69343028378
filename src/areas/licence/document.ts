import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import Type, { type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { Text, Time } from '../../core/schemas.ts'
import { LicenceUnreadable } from './problems.ts'

/** The payload of a licence. */
export const LicenceDocument = Type.Object({
  key: Text(200, { minLength: 1 }),
  tier: Text(100),
  status: Text(50),
  expires_at: Type.Union([Time, Type.Null()]),
  max_websites: Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()]),
  blocked: Type.Boolean(),
  host: Text(253, { minLength: 1 }),
  features: Type.Record(Type.String({ pattern: '^[a-z0-9_]{1,64}$' }), Type.Boolean(), {
    additionalProperties: false,
    maxProperties: 200,
  }),
})
export type LicenceDocument = Static<typeof LicenceDocument>

/** The payload as the server signed it, byte by byte. */
const Signed = Type.Object({
  license: Type.String({ maxLength: 65_536 }),
  signature: Type.String({ maxLength: 100 }),
})

/** Makes the key that verifies licences from its 32 bytes in base64. */
export function publicKeyOf(base64: string): KeyObject {
  const x = Buffer.from(base64, 'base64').toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

/** Reads a signed licence; throws LicenceUnreadable if it is none, or its signature is wrong. */
export function readSigned(text: string, publicKey: KeyObject): LicenceDocument {
  const { license, signature } = parsed(text, Signed)
  if (!verify(null, Buffer.from(license), publicKey, Buffer.from(signature, 'base64')))
    throw LicenceUnreadable('the signature of the licence is wrong: check license_public_key')
  return parsed(license, LicenceDocument)
}

function parsed<Schema extends TSchema>(text: string, schema: Schema): Static<Schema> {
  try {
    const value: unknown = JSON.parse(text)
    if (Check(schema, value)) return value
  } catch (cause) {
    throw LicenceUnreadable('the licence is not JSON', { cause })
  }
  throw LicenceUnreadable('the licence has not the fields of one')
}

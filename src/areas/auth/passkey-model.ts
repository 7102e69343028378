import Type, { type Static } from 'typebox'
import { Id, Optional, Secret, Text, Time } from '../../core/schemas.ts'

const Base64Url = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: '^[A-Za-z0-9_-]+$', description, expects: 'text in base64url' })

export const Passkey = Type.Object({
  id: Id,
  name: Text(100),
  rp_id: Text(253, { description: 'The host name of the panel that it signs in to' }),
  origin: Text(300, {
    description: 'The address of the panel at which it was added and signs in, with the port',
  }),
  is_synced: Type.Boolean({ description: 'Whether its provider has a copy on other devices' }),
  created_at: Time,
  last_used: Type.Union([Time, Type.Null()]),
})
export type Passkey = Static<typeof Passkey>

export const PasskeyPath = Type.Object({ id: Id })
export const Passkeys = Type.Array(Passkey, { maxItems: 10 })

export const PasskeyRequest = Type.Object({
  password: Secret({ maxLength: 256, description: 'Password of now' }),
  origin: Text(300, { description: 'The origin of the page, such as https://panel.example.com:7070' }),
})
export type PasskeyRequest = Static<typeof PasskeyRequest>

const Challenge = Base64Url(100, 'Used once, within five minutes')
const Timeout = Type.Integer({ description: 'Milliseconds' })
const Required = Type.Literal('required')

/** What the page asks for before the device. */
export const PasskeyNaming = Type.Object({
  name: Text(100, { minLength: 1, description: 'What to know it by, such as the device' }),
  password: PasskeyRequest.properties.password,
})
export type PasskeyNaming = Static<typeof PasskeyNaming>

/** PublicKeyCredentialCreationOptionsJSON of WebAuthn Level 3. */
export const PasskeyCreation = Type.Object({
  challenge: Challenge,
  rp: Type.Object({ id: Text(253), name: Text(100) }),
  user: Type.Object({
    id: Base64Url(100, 'Identifier of the user'),
    name: Text(254),
    displayName: Text(254),
  }),
  pubKeyCredParams: Type.Array(
    Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer({ description: 'COSE algorithm' }) }),
    { maxItems: 10 },
  ),
  timeout: Timeout,
  excludeCredentials: Type.Array(
    Type.Object({ type: Type.Literal('public-key'), id: Base64Url(1400, 'A passkey that the user has') }),
    { maxItems: 10 },
  ),
  authenticatorSelection: Type.Object({ residentKey: Required, userVerification: Required }),
  attestation: Type.Literal('none'),
})
export type PasskeyCreation = Static<typeof PasskeyCreation>

/** PublicKeyCredentialRequestOptionsJSON. */
export const PasskeyAssertion = Type.Object({
  challenge: Challenge,
  timeout: Timeout,
  userVerification: Required,
})
export type PasskeyAssertion = Static<typeof PasskeyAssertion>

const credential = {
  id: Base64Url(1400, 'Identifier of the credential'),
  rawId: Base64Url(1400, 'The same'),
  type: Type.Literal('public-key'),
}
const ClientData = Base64Url(8000, 'JSON of the browser')

export const PasskeyDraft = Type.Object({
  name: PasskeyNaming.properties.name,
  response: Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: ClientData,
      attestationObject: Base64Url(20_000, 'CBOR of the authenticator'),
    }),
  }),
})
export type PasskeyDraft = Static<typeof PasskeyDraft>

const Assertion = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: ClientData,
    authenticatorData: Base64Url(8000, 'Bytes of the authenticator'),
    signature: Base64Url(2000, 'Of both'),
    userHandle: Optional(Type.Union([Base64Url(100, 'Identifier of the user'), Type.Null()])),
  }),
})
export type PasskeyResponse = Static<typeof Assertion>

export const PasskeyConfirm = Type.Object({ response: Assertion })
export type PasskeyConfirm = Static<typeof PasskeyConfirm>

export const PasskeySignIn = Type.Object({
  response: Assertion,
  cookie: Optional(
    Type.Boolean({
      description: 'Keep the refresh token in an HttpOnly cookie; the reply then holds an empty one',
    }),
  ),
})
export type PasskeySignIn = Static<typeof PasskeySignIn>

import Type, { type Static } from 'typebox'
import { Email, Id, OneOf, Optional, Revealed, Secret, Text, Time } from '../../core/schemas.ts'
import { NewPassword, User } from '../users/index.ts'

export const SignIn = Type.Object({
  email: Email,
  password: Secret({ maxLength: 256, expects: 'a password', description: 'Password' }),
  otp: Optional(
    Secret({
      maxLength: 20,
      description: 'Code of the second factor, where one is enabled, or a recovery code',
    }),
  ),
  cookie: Optional(
    Type.Boolean({
      description: 'Keep the refresh token in an HttpOnly cookie; the reply then holds an empty one',
    }),
  ),
})
export type SignIn = Static<typeof SignIn>

export const Tokens = Type.Object({
  access_token: Revealed({ description: 'Bearer token for the next requests' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ minimum: 0, description: 'Seconds until the access token ends' }),
  refresh_token: Revealed({ description: 'Used once to get new tokens; empty when it is in the cookie' }),
  user: User,
})

export const Refresh = Type.Object({
  refresh_token: Optional(Secret({ maxLength: 200, description: 'Absent when the cookie carries it' })),
})

const Password = Secret({ maxLength: 256, description: 'Password of now' })

export const PasswordEdit = Type.Object({
  current_password: Password,
  new_password: NewPassword,
})
export type PasswordEdit = Static<typeof PasswordEdit>

export const PasswordReset = Type.Object({ email: Email, password: NewPassword })

export const Me = Type.Object({
  ...User.properties,
  permissions: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 }),
})

export const Session = Type.Object({
  id: Id,
  ip: Text(64, { description: 'Address it was last used from' }),
  user_agent: Text(300),
  created_at: Time,
  last_used_at: Time,
  expires_at: Time,
  is_current: Type.Boolean({ description: 'The session of this request' }),
})

export const SocketTokenDraft = Type.Object({
  purpose: OneOf(['terminal', 'container', 'ai-tui', 'partner-chat'], { description: 'The kind of socket' }),
  uid: Optional(Type.Integer({ ...Id, description: 'The user whose terminal is opened' })),
})

export const SocketToken = Type.Object({
  token: Revealed({ description: 'Is sent as the query parameter `token`, once' }),
  expires_in: Type.Integer({ description: 'Seconds until it expires' }),
})

const Code = (description: string) => Secret({ minLength: 6, maxLength: 20, expects: 'a code', description })

export const OtpState = Type.Object({
  is_enabled: Type.Boolean({ description: 'Whether a code is asked for at sign-in' }),
  recovery_codes: Type.Integer({ minimum: 0, maximum: 10, description: 'Recovery codes that are left' }),
})
export type OtpState = Static<typeof OtpState>

export const PasswordProof = Type.Object({ password: Password })

export const OtpSetup = Type.Object({
  secret: Revealed({ description: 'Secret for the authenticator app, in base32' }),
  url: Revealed({ description: 'The same as otpauth:// address, to be shown as QR code' }),
})
export type OtpSetup = Static<typeof OtpSetup>

export const OtpEnable = Type.Object({ otp: Code('Code that the authenticator app shows') })

export const OtpConfirm = Type.Object({
  otp: Code('Code that the authenticator app shows, or a recovery code'),
})

export const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Revealed({ description: 'Signs in once in place of a code' }), { maxItems: 10 }),
})

/** Proves who the user is, by both factors. */
export const BothFactors = Type.Object({
  password: Password,
  otp: Code('Code that the authenticator app shows, or a recovery code'),
})
export type BothFactors = Static<typeof BothFactors>

export const OtpReset = Type.Object({ email: Email })

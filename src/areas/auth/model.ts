import Type, { type Static } from 'typebox'
import { Email, Id, OneOf, Optional, Revealed, Secret, Text, Time } from '../../core/schemas.ts'
import { NewPassword, User } from '../users/index.ts'

export const SignIn = Type.Object({
  email: Email,
  password: Secret({ maxLength: 256, expects: 'a password', description: 'Password' }),
  otp: Optional(
    Type.String({ maxLength: 10, description: 'Code of the second factor, where one is set up' }),
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

export const PasswordEdit = Type.Object({
  current_password: Secret({ maxLength: 256, description: 'Password of now' }),
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
  ip: Text(64, { description: 'Address it was opened from' }),
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

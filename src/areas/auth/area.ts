import { area } from '../../core/area.ts'
import { signedIn } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import type { Deps } from '../deps.ts'
import { notifications } from '../notifications/index.ts'
import { belongings, lastingAccess, users } from '../users/index.ts'
import { failedSignIns } from './failed-sign-ins.ts'
import { sessionsOfDeleted } from './belongings.ts'
import { type Context, openAuth } from './context.ts'
import * as endpoints from './endpoints/index.ts'
import * as model from './model.ts'
import * as passkeyModel from './passkey-model.ts'
import { createFactorEvents } from './migrations/202611280000-factor-events.ts'
import { createSessions } from './migrations/202611211210-sessions.ts'
import { addProvedAt } from './migrations/202611230501-proved-at.ts'
import { createOtpFactors } from './migrations/202611230500-otp.ts'
import { createPasskeys } from './migrations/202611231500-passkeys.ts'
import { addPasskeyOrigins } from './migrations/202611231501-passkey-origins.ts'
import { createSignInAddresses } from './migrations/202611231410-sign-in-addresses.ts'
import { noticesOfCredentials, noticesOfFactors, noticesOfSignIns } from './notices.ts'
import { endExpiredSessions } from './tidy.ts'

export const auth = area({
  name: 'auth',
  title: 'Sign-in',
  base: '/auth',
  guard: signedIn,
  errors: 'coded',
  endpoints,
  schemas: { ...model, ...passkeyModel },
  jobs: [endExpiredSessions],
  migrations: [
    createSessions,
    createOtpFactors,
    addProvedAt,
    createSignInAddresses,
    createPasskeys,
    addPasskeyOrigins,
    createFactorEvents,
  ],
  steps: ({ auth }: Context) => [auth.firstPassword.remove],
  points: [failedSignIns],
  uses: [users, notifications],
  contributes: ({ auth }: Context) => [
    contribution(belongings, (deletion) => sessionsOfDeleted(auth, deletion)),
    contribution(lastingAccess, async ({ id }) => ({
      noun: 'passkey',
      count: (await auth.passkeys.ofUser(id)).length,
    })),
    noticesOfSignIns(auth),
    noticesOfCredentials(auth),
    noticesOfFactors(auth),
  ],
  open: (deps: Deps): Context => ({ auth: openAuth(deps) }),
})

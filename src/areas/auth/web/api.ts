// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const auth = client<typeof endpoints>({
  listOwnApiKeys: 'GET /auth/api-keys',
  createOwnApiKey: 'POST /auth/api-keys',
  deleteOwnApiKey: 'DELETE /auth/api-keys/{kid}',
  signIn: 'POST /auth/login',
  signOut: 'POST /auth/logout',
  me: 'GET /auth/me',
  editMe: 'PATCH /auth/me',
  readOtp: 'GET /auth/otp',
  confirmOtp: 'POST /auth/otp/confirm',
  disableOtp: 'POST /auth/otp/disable',
  enableOtp: 'POST /auth/otp/enable',
  renewRecoveryCodes: 'POST /auth/otp/recovery-codes',
  resetOtp: 'POST /auth/otp/reset',
  setUpOtp: 'POST /auth/otp/setup',
  listPasskeys: 'GET /auth/passkeys',
  addPasskey: 'POST /auth/passkeys',
  confirmPasskey: 'POST /auth/passkeys/confirm',
  signInWithPasskey: 'POST /auth/passkeys/login',
  requestPasskey: 'POST /auth/passkeys/options',
  requestPasskeySignIn: 'POST /auth/passkeys/sign-in-options',
  deletePasskey: 'DELETE /auth/passkeys/{id}',
  changePassword: 'POST /auth/password',
  refresh: 'POST /auth/refresh',
  resetPassword: 'POST /auth/reset-password',
  listSessions: 'GET /auth/sessions',
  endOtherSessions: 'DELETE /auth/sessions',
  endSession: 'DELETE /auth/sessions/{id}',
  createSocketToken: 'POST /auth/socket-token',
})

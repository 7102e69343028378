import { data, succeeded } from '../../../core/reply.ts'
import { superuser } from '../../../core/guard.ts'
import { Forbidden } from '../../../core/problem.ts'
import { endpoint } from '../context.ts'
import {
  BothFactors,
  OtpConfirm,
  OtpEnable,
  OtpReset,
  OtpSetup,
  OtpState,
  PasswordProof,
  RecoveryCodes,
} from '../model.ts'
import * as otp from '../otp.ts'
import { byEmail, ofThisPanel, ownAccount, perAddress, self } from '../parts.ts'
import * as problems from '../problems.ts'

export const readOtp = endpoint({
  method: 'GET',
  path: '/otp',
  summary: 'Read whether your second factor is enabled',
  effect: 'reads',
  reply: data(OtpState),
  run: ({ auth, caller }) => otp.readOtp(auth, caller.user.id),
})

export const setUpOtp = endpoint({
  method: 'POST',
  path: '/otp/setup',
  summary: 'Set up one-time codes; the secret is shown only in this reply',
  effect: 'changes',
  changesAccess: true,
  category: ofThisPanel,
  body: PasswordProof,
  reply: data(OtpSetup),
  throws: { bad_request: problems.PasswordWrong, conflict: problems.OtpAlreadyEnabled },
  target: self,
  rateLimit: perAddress,
  recordsRefusals: true,
  run: ({ auth, target, body, now }) => otp.setUpOtp(auth, target, body, { now }),
})

export const enableOtp = endpoint({
  method: 'POST',
  path: '/otp/enable',
  summary: 'Ask for one-time codes at sign-in; the recovery codes are shown only in this reply',
  effect: 'changes',
  changesAccess: true,
  category: ofThisPanel,
  body: OtpEnable,
  reply: data(RecoveryCodes),
  throws: {
    bad_request: problems.OtpWrong,
    conflict: [problems.OtpNotSetUp, problems.OtpAlreadyEnabled],
    rate_limited: problems.TooManyCodes,
  },
  target: self,
  recordsRefusals: true,
  run: ({ auth, target, body, now, caller }) => otp.enableOtp(auth, target, body, { now, caller }),
})

export const confirmOtp = endpoint({
  method: 'POST',
  path: '/otp/confirm',
  summary: 'Enter a code of your second factor, for actions that ask for a fresh one',
  effect: 'changes',
  category: ofThisPanel,
  body: OtpConfirm,
  reply: succeeded,
  throws: {
    bad_request: problems.OtpWrong,
    conflict: problems.OtpNotEnabled,
    rate_limited: problems.TooManyCodes,
  },
  target: ownAccount,
  recordsRefusals: true,
  run: ({ auth, target, body, now, caller }) => otp.confirmOtp(auth, target, body, { now, caller }),
})

export const disableOtp = endpoint({
  method: 'POST',
  path: '/otp/disable',
  summary: 'Ask for one-time codes no longer',
  effect: 'destroys',
  changesAccess: true,
  category: ofThisPanel,
  body: BothFactors,
  reply: succeeded,
  throws: {
    bad_request: [problems.PasswordWrong, problems.OtpWrong],
    conflict: problems.OtpNotEnabled,
    rate_limited: problems.TooManyCodes,
  },
  target: self,
  rateLimit: perAddress,
  recordsRefusals: true,
  run: ({ auth, target, body, now }) => otp.disableOtp(auth, target, body, { now }),
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/otp/recovery-codes',
  summary: 'Replace your recovery codes; the new ones are shown only in this reply',
  effect: 'changes',
  changesAccess: true,
  category: ofThisPanel,
  body: BothFactors,
  reply: data(RecoveryCodes),
  throws: {
    bad_request: [problems.PasswordWrong, problems.OtpWrong],
    conflict: problems.OtpNotEnabled,
    rate_limited: problems.TooManyCodes,
  },
  target: self,
  rateLimit: perAddress,
  recordsRefusals: true,
  run: ({ auth, target, body, now }) => otp.renewRecoveryCodes(auth, target, body, { now }),
})

export const resetOtp = endpoint({
  method: 'POST',
  path: '/otp/reset',
  summary: 'Remove the second factor of a user who lost it, and the passkeys',
  effect: 'destroys',
  changesAccess: true,
  category: ofThisPanel,
  guard: superuser,
  body: OtpReset,
  reply: succeeded,
  throws: { conflict: problems.OtpNotEnabled, forbidden: Forbidden },
  target: byEmail,
  run: ({ auth, target, now, caller }) => otp.resetOtp(auth, target, { now, caller }),
})

import { contribution } from '../../core/point.ts'
import { noticed, type Notice } from '../notifications/index.ts'
import { findNewKeys } from '../users/index.ts'
import type { Auth } from './context.ts'

/** Tells users that somebody signed in to their account from an address that was not used for it before. */
export const noticesOfSignIns = ({ addresses }: Pick<Auth, 'addresses'>) =>
  contribution(noticed, {
    name: 'sign-ins',
    kinds: [{ name: 'sign_in_new_address', title: 'A sign-in from a new address' }],
    after: ['sessions'],
    read: async (since) => {
      await addresses.remember(since)
      return (await addresses.firstUsed(since)).map(
        ({ user_id: userId, ip, user_agent: agent, first_at: at }) => ({
          kind: 'sign_in_new_address',
          key: `sign-in:${userId}:${ip}`,
          group: ip,
          to: userId,
          title: `Sign-in from the new address ${ip}`,
          message: `${agent || 'An unknown program'} signed in at ${at}. If it was not you, end the session and change your password.`,
          link: '/account',
        }),
      )
    },
  })

const remedy = 'If it was not you, delete it and change your password.'

/** Tells users of credentials that were added to their account, whoever added them. */
export const noticesOfCredentials = ({ users, passkeys }: Pick<Auth, 'users' | 'passkeys'>) =>
  contribution(noticed, {
    name: 'credentials',
    kinds: [{ name: 'credential_added', title: 'A new API key or passkey of yours' }],
    after: ['api_keys', 'passkeys'],
    read: async (since) => {
      const [keys, made] = await Promise.all([findNewKeys(users, since), passkeys.madeAfter(since)])
      return [...keys.map((row) => noticeOf('API key', row)), ...made.map((row) => noticeOf('passkey', row))]
    },
  })

interface Added {
  readonly id: number
  readonly user_id: number
  readonly name: string
  readonly created_at: string
}

function noticeOf(noun: 'API key' | 'passkey', { id, user_id: to, name, created_at: at }: Added): Notice {
  const title = `New ${noun}: ${name}`
  return {
    kind: 'credential_added',
    key: `${noun}:${id}`,
    group: `${noun}:${id}`,
    to,
    title,
    message: `The ${noun} ${name} was added to your account at ${at}. ${remedy}`,
    link: '/account',
  }
}

const factorTitles = {
  disabled: 'Your second factor was disabled',
  removed: 'A superuser removed your second factor and your passkeys',
  recovery_code: 'A recovery code of yours was used',
  wrong_code: 'Somebody knows your password: a sign-in failed by its code alone',
}

/** Tells users that their second factor is gone, or was passed with a recovery code. */
export const noticesOfFactors = ({ queries }: Pick<Auth, 'queries'>) =>
  contribution(noticed, {
    name: 'factors',
    kinds: [
      {
        name: 'factor_changed',
        title: 'Your second factor was disabled, passed with a recovery code, or failed',
      },
    ],
    after: ['factor_events'],
    read: async (since) =>
      (await queries.factorEventsAfter(since)).map(({ user_id: to, kind, happened_at: at }) => ({
        kind: 'factor_changed',
        key: `factor:${to}:${kind}:${at}`,
        group: `factor:${kind}`,
        to,
        title: factorTitles[kind],
        message: `It happened at ${at}. If it was not you, change your password and look at your second factor.`,
        link: '/account',
      })),
  })

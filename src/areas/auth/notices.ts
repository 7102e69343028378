import { contribution } from '../../core/point.ts'
import { noticed } from '../notifications/index.ts'
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

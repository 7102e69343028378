import type { Bulk } from '../../../web/kit/bulk/bulk-action.ts'
import { readAgain } from '../../../web/queries.ts'
import type { User } from '../model.ts'
import { users } from './api.ts'

const suspend =
  (is_suspended: boolean) =>
  ({ id }: User) =>
    users.editUser({ params: { uid: id }, body: { is_suspended } })

/** The actions on selected users. */
export const userBulk: Bulk<User> = {
  noun: ['user', 'users'],
  nameOf: ({ email }) => email,
  onDone: () => readAgain('users'),
  actions: [
    {
      label: 'Suspend',
      note: 'All sessions, keys and streams of the users end at once.',
      appliesTo: ({ is_suspended }) => !is_suspended,
      isDestructive: true,
      call: suspend(true),
    },
    {
      label: 'Unsuspend',
      note: 'The users may sign in again.',
      appliesTo: ({ is_suspended }) => is_suspended,
      call: suspend(false),
    },
  ],
}

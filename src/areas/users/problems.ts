import { problem } from '../../core/problem.ts'

export const EmailTaken = problem('bad_request', 400, 'The e-mail address belongs to another user')
export const UsernameTaken = problem('bad_request', 400, 'The Linux account belongs to another panel user')
export const AccountUnsuitable = problem(
  'bad_request',
  400,
  'The Linux account cannot belong to a panel user',
)
export const AccessUnsuitable = problem('bad_request', 400, 'The account cannot have this access over SSH')
export const AccountFixed = problem('bad_request', 400, 'The Linux account of a user cannot be changed')
export const OwnPassword = problem('bad_request', 400, 'A reset is for the password of another user')
export const Oneself = problem('bad_request', 400, 'You cannot delete yourself')
export const TimeZoneUnknown = problem('bad_request', 400, 'There is no such time zone')
export const LastSuperuser = problem(
  'bad_request',
  400,
  'The last active superuser cannot be deleted, suspended or demoted',
)

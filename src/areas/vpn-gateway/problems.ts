import { problem } from '../../core/problem.ts'

export const DomainMissing = problem('bad_request', 400, 'The VPN gateway has no domain yet')
export const SettingsInvalid = problem('bad_request', 400, 'The settings of the VPN gateway are invalid')
export const NotInstalled = problem('bad_request', 400, 'The VPN gateway is not installed: install it first')
export const NetworkInvalid = problem('bad_request', 400, 'The network is invalid')
export const AddressInvalid = problem('bad_request', 400, 'The address is invalid')
export const UserTaken = problem('bad_request', 400, 'The mesh has this user already')
export const UserBusy = problem('bad_request', 400, 'The user still has nodes, or is in the access rules')
export const PolicyInvalid = problem('bad_request', 400, 'The policy is invalid')
export const PolicyUnreadable = problem('parse_error', 500, 'The policy of the mesh cannot be shown')
export const PolicyTooLarge = problem(
  'marshal_error',
  500,
  'The policy is larger than the control server takes',
)

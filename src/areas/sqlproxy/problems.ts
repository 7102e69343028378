import { problem } from '../../core/problem.ts'

export const AlreadyInstalled = problem('already_installed', 400, 'ProxySQL is set up already')
export const NotSetUp = problem('bad_request', 400, 'ProxySQL is not set up: install it first')
export const BackendUnknown = problem('bad_request', 400, 'The proxy has no such server')
export const BackendInvalid = problem('bad_request', 400, 'The server is invalid')
export const BackendTaken = problem('bad_request', 400, 'The proxy has this server in the hostgroup already')
export const MonitorInvalid = problem('bad_request', 400, 'The monitor account is invalid')
export const UserInvalid = problem('bad_request', 400, 'The user is invalid')
export const SplitInvalid = problem('bad_request', 400, 'Reads cannot be split from writes')
export const AddressInvalid = problem('bad_request', 400, 'The virtual address is invalid')
export const PasswordInvalid = problem('bad_request', 400, 'The password is invalid')

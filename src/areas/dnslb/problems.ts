import { problem } from '../../core/problem.ts'

export const NameInvalid = problem('bad_request', 400, 'The name contains no usable character')
export const AddressInvalid = problem('bad_request', 400, 'Not an address or network')
export const DomainsInvalid = problem('bad_request', 400, 'No valid domain')
export const RuleInvalid = problem('bad_request', 400, 'The rule is not valid')
export const OrderInvalid = problem('bad_request', 400, 'The order names what does not exist')
export const ServerMissing = problem('not_found', 404, 'No such server')
export const RuleMissing = problem('not_found', 404, 'No such rule')
export const PoolUsed = problem('conflict', 409, 'A rule sends queries to the pool of this server')
export const PoolMissing = problem('conflict', 409, 'The pool has no server')
export const PeerInvalid = problem('bad_request', 400, 'The server is invalid')
export const PeerTaken = problem('conflict', 409, 'There is such a server')
export const PeerUnreached = problem('unreachable', 502, 'The other panel cannot be reached with this key')

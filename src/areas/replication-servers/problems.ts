import { problem } from '../../core/problem.ts'

export const ServerNotFound = problem('not_found', 404, 'Server not found')
export const ActionNotFound = problem('not_found', 404, 'Action not found')
export const NameUnknown = problem('not_found', 404, 'There is no such row on this server')
export const ServerInvalid = problem('bad_request', 400, 'The server is invalid')
export const ServerTaken = problem('bad_request', 400, 'There is such a server')
export const NothingToUpdate = problem('bad_request', 400, 'No fields to update')
export const ServerUsed = problem('bad_request', 400, 'Cannot delete: replications use this server')
export const CategoryUnknown = problem('bad_request', 400, 'Unknown category')

import { problem } from '../../../core/problem.ts'

export const RegistryInvalid = problem('bad_request', 400, 'The credentials of the registry are invalid')
export const RegistryMissing = problem('not_found', 404, 'There are no credentials of that registry')

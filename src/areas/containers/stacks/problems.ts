import { problem } from '../../../core/problem.ts'

export const StackMissing = problem('not_found', 404, 'There is no such stack')
export const ServiceUnknown = problem('bad_request', 400, 'The stack has no such service')

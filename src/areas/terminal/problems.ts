import { problem } from '../../core/problem.ts'

export const NoAccount = problem('bad_request', 400, 'The user has no Linux account')
export const TooManyTerminals = problem('conflict', 409, 'Too many terminals are open: close one first')

import { problem } from '../../core/problem.ts'

export const NoAccount = problem('bad_request', 400, 'The user has no Linux account')
export const KeyKnown = problem('already_exists', 409, 'The account already accepts this key')

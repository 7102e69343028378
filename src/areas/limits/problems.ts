import { problem } from '../../core/problem.ts'

export const LimitsInvalid = problem('bad_request', 400, 'The limits are not possible')
export const PackageInUse = problem('conflict', 409, 'Users have this package')

import { problem } from '../../core/problem.ts'

export const ProtectedService = problem('forbidden', 400, 'The panel runs in this service')
export const NotStartable = problem('conflict', 409, 'The service cannot be started now')

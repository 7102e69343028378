import { problem } from '../../core/problem.ts'

export const ProtectedService = problem('forbidden', 400, 'The panel runs in this service')

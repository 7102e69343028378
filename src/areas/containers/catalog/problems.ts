import { problem } from '../../../core/problem.ts'

export const AppUnknown = problem('not_found', 404, 'The catalog has no such app')
export const StackUnknown = problem('not_found', 404, 'The catalog has no such stack')

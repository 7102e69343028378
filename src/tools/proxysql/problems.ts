import { problem } from '../../core/problem.ts'

export const NotApplied = problem('not_applied', 500, 'ProxySQL did not take a value')
export const NotServing = problem('not_serving', 500, 'ProxySQL does not answer')

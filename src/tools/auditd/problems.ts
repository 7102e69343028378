import { problem } from '../../core/problem.ts'

export const RulesRefused = problem('audit_failed', 500, 'The kernel did not take the rules of the audit')

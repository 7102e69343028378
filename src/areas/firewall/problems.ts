import { problem } from '../../core/problem.ts'

export const OtherFirewall = problem(
  'conflict',
  409,
  'firewalld does not run, or has rules that enabling would lose',
)
export const SwitchedAlready = problem('conflict', 409, 'The firewall is in this state already')

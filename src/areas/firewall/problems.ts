import { problem } from '../../core/problem.ts'

export const OtherFirewall = problem(
  'conflict',
  409,
  'firewalld is not ready to accept what the firewall admits',
)
export const SwitchedAlready = problem('conflict', 409, 'The firewall is in this state already')

import { problem } from '../../core/problem.ts'

export const OtherFirewall = problem('conflict', 409, 'Another firewall is active on this host')
export const SwitchedAlready = problem('conflict', 409, 'The firewall is in this state already')

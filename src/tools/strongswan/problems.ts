import { problem } from '../../core/problem.ts'

export const TunnelRefused = problem('config_rejected', 500, 'strongSwan does not take the tunnel')
export const NegotiationFailed = problem('negotiation_failed', 502, 'The other gateway does not agree')
export const ForwardingFailed = problem('forwarding_failed', 500, 'The kernel does not forward packets')

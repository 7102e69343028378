import { problem } from '../../core/problem.ts'

export const TunnelInvalid = problem('bad_request', 400, 'The tunnel is invalid')
export const TunnelTaken = problem('conflict', 409, 'Another tunnel has this already')
export const TunnelDisabled = problem('conflict', 409, 'The tunnel is disabled: enable it first')
export const NoAddress = problem('no_address', 409, 'This host has no route to other networks')

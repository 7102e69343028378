import { problem } from '../../core/problem.ts'

export const NothingChosen = problem('bad_request', 400, 'Name notifications in ids, or set all')
export const ChannelInvalid = problem('bad_request', 400, 'A channel cannot be stored')
export const DeliveryFailed = problem('delivery_failed', 502, 'The notification could not be delivered')

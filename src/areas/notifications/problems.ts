import { problem } from '../../core/problem.ts'

export const NothingChosen = problem('bad_request', 400, 'Name notifications in ids, or set all')
export const ChannelInvalid = problem('bad_request', 400, 'A channel cannot be stored')
export const ChannelConfirmed = problem('conflict', 409, 'The channel is confirmed already')
export const CodeWrong = problem('bad_request', 400, 'The code is wrong')
export const DeliveryFailed = problem('delivery_failed', 502, 'The notification could not be delivered')

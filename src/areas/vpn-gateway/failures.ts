import { at } from '../../core/endpoint.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { KeyMissing, ServerRefused } from '../../tools/headscale/index.ts'

const { NotAnswering, ReplyTooLarge } = connectProblems

/** Every reason why the control server gives no answer, besides a missing key. */
export const refusals = [ServerRefused, NotAnswering, ReplyTooLarge] as const

/** What every request to the control server may fail with. */
export const unanswered = { config_error: KeyMissing, api_error: at(500, ...refusals) }

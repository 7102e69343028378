import { failures } from '../../../core/endpoint.ts'
import { endpoint } from '../context.ts'
import { live, notLive, taken } from '../failures.ts'

/** Changes the configuration, whose revision `If-Match` may name. */
export const changingConfig = endpoint.with({ category: 'services', throws: notLive, target: live })

/** Changes one part of the configuration, which may conflict with others. */
export const changingPart = endpoint.with({
  category: 'services',
  throws: failures(taken, notLive),
  target: live,
})

import { data } from '../../core/reply.ts'
import { serviceEndpoints } from '../lifecycle.ts'
import { type Context, endpoint } from './context.ts'
import { refused } from './failures.ts'
import { balancerLock } from './locks.ts'
import * as model from './model.ts'
import { readStatus } from './program.ts'

/** The endpoints that read the status of dnsdist and switch it. */
export const switching = serviceEndpoints(endpoint, {
  role: 'the DNS balancer',
  on: ({ dnslb }: Context) => ({ tool: dnslb.dnsdist }),
  locks: [balancerLock],
  status: {
    summary: 'Read whether the DNS balancer is installed and runs, and where it listens',
    reply: data(model.Status),
    run: ({ dnslb }) => readStatus(dnslb),
  },
  switches: {
    start: { summary: 'Start the DNS balancer', throws: { config_failed: refused } },
    stop: { summary: 'Stop the DNS balancer', throws: { config_failed: refused } },
    restart: { summary: 'Restart the DNS balancer', throws: { config_failed: refused } },
  },
})

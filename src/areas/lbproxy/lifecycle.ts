import { data } from '../../core/reply.ts'
import { lifecycle } from '../lifecycle.ts'
import { installing } from '../programs/index.ts'
import { type Context, endpoint, work } from './context.ts'
import { notLive } from './failures.ts'
import { configLock } from './locks.ts'
import * as model from './model.ts'
import { readStatus } from './program.ts'

/** The life cycle of HAProxy. */
export const haproxyLifecycle = lifecycle(
  'haproxy',
  { endpoint, work },
  {
    area: 'lbproxy',
    title: 'HAProxy',
    role: 'the load balancer',
    on: ({ lbproxy }: Context) => ({ tool: lbproxy.haproxy, programSteps: lbproxy.programSteps }),
    locks: [configLock],
    installing,
    status: {
      summary: 'Read whether the load balancer is installed and runs, and how often it is backed up',
      reply: data(model.Status),
      run: ({ lbproxy }) => readStatus(lbproxy),
    },
    switches: {
      reload: { summary: 'Check the configuration and load it', throws: notLive },
      start: { summary: 'Start the load balancer', throws: notLive },
      stop: { summary: 'Stop the load balancer', throws: notLive },
    },
    install: { summary: 'Install the load balancer with the package manager of the host' },
    uninstall: {
      summary: 'Remove the load balancer; its configuration, certificates and backups stay',
    },
  },
)

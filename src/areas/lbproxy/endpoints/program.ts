import { accepted, data, succeeded } from '../../../core/reply.ts'
import { local } from '../../../core/endpoint.ts'
import { endpoint } from '../context.ts'
import { notLive } from '../failures.ts'
import * as model from '../model.ts'
import * as program from '../program.ts'
import * as stats from '../stats.ts'

const ofThisHost = local('the program of this host')

export const readStatus = endpoint({
  method: 'GET',
  path: '/status',
  summary: 'Read whether the load balancer is installed and runs, and how often it is backed up',
  effect: 'reads',
  reply: data(model.Status),
  run: ({ lbproxy }) => program.readStatus(lbproxy),
})

const service = (verb: 'start' | 'stop' | 'reload', summary: string) =>
  endpoint({
    method: 'POST',
    path: `/${verb}`,
    summary,
    effect: 'changes',
    category: ofThisHost,
    reply: succeeded,
    throws: notLive,
    run: ({ lbproxy }) => program.act(lbproxy, verb),
  })

export const reload = service('reload', 'Check the configuration and load it')
export const start = service('start', 'Start the load balancer')
export const stop = service('stop', 'Stop the load balancer')

export const install = endpoint({
  method: 'POST',
  path: '/install',
  summary: 'Install the load balancer with the package manager of the host',
  effect: 'changes',
  category: ofThisHost,
  reply: accepted,
  run: ({ caller }) => program.install(caller.user.id),
})

export const uninstall = endpoint({
  method: 'POST',
  path: '/uninstall',
  summary: 'Remove the load balancer; its configuration, certificates and backups stay',
  effect: 'destroys',
  category: ofThisHost,
  reply: accepted,
  run: ({ caller, lbproxy }) => program.uninstall(lbproxy, caller.user.id),
})

export const readStats = endpoint({
  method: 'GET',
  path: '/stats',
  summary: 'Read what the load balancer counts, for each frontend, backend and server',
  effect: 'reads',
  reply: data(model.Stats),
  run: ({ lbproxy }) => stats.readStats(lbproxy),
})

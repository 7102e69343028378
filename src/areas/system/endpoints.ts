import { superuser } from '../../core/guard.ts'
import { failures, local } from '../../core/endpoint.ts'
import { data } from '../../core/reply.ts'
import { fetchProblems, isV4 } from '../../host/fetch/index.ts'
import { notTaken } from '../../tools/nginx/index.ts'
import { endpoint } from './context.ts'
import { refusedByHost } from './failures.ts'
import { readInfo } from './info.ts'
import { everySeconds } from './metrics/history.ts'
import {
  Ips,
  Metrics,
  MetricsQuery,
  Overwriting,
  PortAsked,
  PortState,
  PublicIp,
  Rewritten,
  SystemInfo,
} from './model.ts'
import * as reach from './reach.ts'
import * as rewriting from './rewrite.ts'

export const getInfo = endpoint({
  method: 'GET',
  path: '/info',
  summary: 'Read what this host is: name, system, processors, memory, disks, load',
  effect: 'reads',
  reply: data(SystemInfo),
  run: ({ system }) => readInfo(system),
})

export const listIps = endpoint({
  method: 'GET',
  path: '/ips',
  summary: 'List the IPv4 addresses of this host',
  effect: 'reads',
  reply: data(Ips),
  run: ({ system }) => ({ ips: system.addresses.own().filter((address) => isV4(address)) }),
})

export const getPublicIp = endpoint({
  method: 'GET',
  path: '/public-ip',
  summary: 'Read the addresses of this host on the internet, and yours',
  effect: 'reads',
  reply: data(PublicIp),
  run: ({ system, visitor }) => reach.findPublicIp(system, visitor.ip),
})

export const checkPort = endpoint({
  method: 'POST',
  path: '/portcheck',
  summary: 'Tell whether a port of a host answers this host',
  effect: 'probes',
  body: PortAsked,
  reply: data(PortState),
  throws: { bad_request: fetchProblems.AddressRefused },
  run: ({ system, body, caller }) => reach.checkPort(system, body, caller),
})

export const readMetrics = endpoint({
  method: 'GET',
  path: '/metrics',
  summary: 'Read how busy the host was in the last hour: processors, memory, disks, network',
  effect: 'reads',
  query: MetricsQuery,
  reply: data(Metrics),
  run: async ({ query, system }) => ({
    every_seconds: everySeconds,
    samples: [...(await system.sampler.since(query.since))],
  }),
})

export const rewriteAll = endpoint({
  method: 'POST',
  path: '/rewrite-all',
  summary:
    'Write the files of every service that the panel renders again, as from its store; what was edited by hand stays',
  effect: 'changes',
  category: local('renders the files of this host'),
  guard: superuser,
  query: Overwriting,
  reply: data(Rewritten),
  timeoutMs: 300_000,
  throws: failures({ rewrite_failed: notTaken }, refusedByHost),
  run: ({ query, system }) => rewriting.rewriteAll(system, query.overwrite),
})

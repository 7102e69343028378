import { local } from '../../../core/endpoint.ts'
import { superuser } from '../../../core/guard.ts'
import { accepted, data, flat } from '../../../core/reply.ts'
import { dnsdistProblems } from '../../../tools/dnsdist/index.ts'
import { installing } from '../../programs/index.ts'
import { listBlocked } from '../blocked.ts'
import * as config from '../config.ts'
import { endpoint } from '../context.ts'
import { refused, unwritten } from '../failures.ts'
import { switching } from '../lifecycle.ts'
import * as model from '../model.ts'
import { readStats as stats } from '../program.ts'

export const { readStatus, start, stop, restart } = switching

export const install = endpoint({
  method: 'POST',
  path: '/install',
  summary: 'Install the DNS balancer with the package manager of the host, on a free address',
  effect: 'changes',
  category: local('the program of this host'),
  reply: accepted(installing),
  run: () => ({ name: 'dnsdist' }),
})

export const readStats = endpoint({
  method: 'GET',
  path: '/stats',
  summary: 'Read what the DNS balancer counts, with the matches of each rule',
  effect: 'reads',
  reply: data(model.Stats),
  run: ({ dnslb }) => stats(dnslb),
})

export const listBlockedNames = endpoint({
  method: 'GET',
  path: '/blocked-names',
  summary: 'List the names that were blocked most among the last queries, with what blocks them',
  description:
    'dnsdist remembers the last 10,000 queries by default. Domain lists and rules that compare the domain are considered; clients that an address list exempts are counted too.',
  effect: 'reads',
  reply: data(model.BlockedNames),
  run: ({ dnslb }) => listBlocked(dnslb),
})

export const readConfig = endpoint({
  method: 'GET',
  path: '/config',
  summary: 'Read the configuration of the DNS balancer as text',
  effect: 'reads',
  reply: flat(model.Config),
  run: ({ dnslb }) => config.readConfig(dnslb),
})

export const writeConfig = endpoint({
  method: 'POST',
  path: '/config',
  summary: 'Replace the configuration of the DNS balancer and keep the former one',
  effect: 'changes',
  guard: superuser,
  category: 'services',
  bodyBytes: 6 * 1024 * 1024,
  body: model.ConfigDraft,
  reply: flat(model.Done),
  throws: {
    invalid_config: [dnsdistProblems.ConfigInvalid, dnsdistProblems.IncludeMissing],
    write_failed: [...refused, ...unwritten],
  },
  run: ({ body, now, dnslb }) => config.writeConfig(dnslb, { ...body, now }),
})

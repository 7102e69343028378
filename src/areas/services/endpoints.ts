import Type from 'typebox'
import { failures, local } from '../../core/endpoint.ts'
import { data, events, succeeded } from '../../core/reply.ts'
import { ServiceFailed } from '../../host/services.ts'
import type { ServiceVerb } from '../../host/services/driver.ts'
import { type Context, endpoint } from './context.ts'
import { followLog } from './logs.ts'
import { LogQuery, Service, ServiceLogLine, ServicePath } from './model.ts'
import { NotStartable, ProtectedService } from './problems.ts'
import * as verbs from './services.ts'

export const listServices = endpoint({
  method: 'GET',
  path: '',
  summary: 'List the services of this host: whether they run, and start with the host',
  effect: 'reads',
  reply: data(Type.Array(Service, { maxItems: 2000 })),
  run: ({ services }) => verbs.listServices(services),
})

export const getService = endpoint({
  method: 'GET',
  path: '/{name}',
  summary: 'Read a service',
  effect: 'reads',
  params: ServicePath,
  reply: data(Service),
  target: ({ params, services }) => verbs.loadService(services, params.name),
  run: ({ target }) => target,
})

interface OfService {
  readonly params: { readonly name: string }
}

const onService = endpoint.with({
  category: local('the services of this host'),
  params: ServicePath,
  target: ({ params, services }: Context & OfService) => verbs.loadService(services, params.name),
})

const failing = { service_failed: ServiceFailed }

const failuresOf = (verb: ServiceVerb) => {
  if (verbs.startsUnits(verb))
    return failures({ forbidden: ProtectedService, conflict: NotStartable }, failing)
  return verbs.isRefusable(verb) ? failures({ forbidden: ProtectedService }, failing) : failing
}

const switching = (verb: ServiceVerb, summary: string) =>
  onService({
    method: 'POST',
    path: `/{name}/${verb}`,
    summary,
    effect: 'changes',
    reply: succeeded,
    timeoutMs: 120_000,
    throws: failuresOf(verb),
    run: ({ target, services, caller }) => verbs.switchService(services, target, verb, caller),
  })

export const startService = switching('start', 'Start a service')
export const stopService = switching('stop', 'Stop a service, and what depends on it')
export const restartService = switching('restart', 'Restart a service')
export const reloadService = switching('reload', 'Make a service load its configuration again')
export const enableService = switching('enable', 'Start a service with the host from now on')
export const disableService = switching('disable', 'Do not start a service with the host any more')

export const followServiceLog = endpoint({
  method: 'GET',
  path: '/{name}/logs',
  summary: 'Follow the log of a service: its last lines, and those to come',
  description:
    'Last-Event-ID goes on after a line of a journal. The log of the panel itself is for superusers only.',
  effect: 'reads',
  params: ServicePath,
  query: LogQuery,
  reply: events(ServiceLogLine),
  target: async ({ params, services, caller }) => {
    const service = await verbs.loadService(services, params.name)
    await verbs.assertMayRead(services, service.name, caller)
    return service
  },
  run: ({ target, query, services, lastEventId, signal }) =>
    followLog(services, target.name, query, { afterUs: lastEventId, signal }),
})

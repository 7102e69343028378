import { failures } from '../../../core/endpoint.ts'
import { events } from '../../../core/reply.ts'
import { loadContainer } from '../containers.ts'
import { endpoint } from '../context.ts'
import * as model from '../stats/model.ts'
import { ContainerMissing, EngineFailed } from '../problems.ts'
import * as stats from '../stats.ts'

export const followContainerStats = endpoint({
  method: 'GET',
  path: '/stats',
  summary: 'Follow what the running containers use of the host, once a second',
  effect: 'reads',
  query: model.StatsQuery,
  reply: events(model.StatsEvent),
  throws: failures({ not_found: ContainerMissing }, { container_error: EngineFailed }),
  target: async ({ containers, query }) =>
    query.id === undefined ? undefined : (await loadContainer(containers, query.id)).Id,
  run: ({ containers, target, signal }) => stats.followStats(containers, target, signal),
})

import Type, { type Static } from 'typebox'
import { Optional } from '../../../core/schemas.ts'
import { ContainerPath, FullId, Line } from '../model.ts'

const Amount = (description: string) => Type.Number({ minimum: 0, description })
export const ContainerStats = Type.Object({
  id: FullId,
  name: Line(300, 'Name'),
  cpu_percent: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
    description: 'Of one core; null in the first event',
  }),
  memory_bytes: Amount('Memory in use, without what the kernel can drop'),
  memory_limit_bytes: Amount('Its limit; that of the host without one'),
  received_bytes: Amount('Received since its start'),
  sent_bytes: Amount('Sent since its start'),
  read_bytes: Amount('Read from disks since its start'),
  written_bytes: Amount('Written to disks since its start'),
  processes: Type.Integer({ minimum: 0, description: 'Processes and threads' }),
})
export type ContainerStats = Static<typeof ContainerStats>
export const StatsEvent = Type.Object({
  type: Type.Literal('stats'),
  containers: Type.Array(ContainerStats, { maxItems: 10_000, description: 'The running containers' }),
})
export const StatsQuery = Type.Object({
  id: Optional(ContainerPath.properties.id),
})

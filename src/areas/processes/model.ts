import Type, { type Static } from 'typebox'
import { OneOf, Text } from '../../core/schemas.ts'

export const ProcessOrder = OneOf(['cpu', 'mem', 'pid'], { default: 'cpu', description: 'Descending' })
export type ProcessOrder = Static<typeof ProcessOrder>

export const Process = Type.Object({
  pid: Type.Integer({ minimum: 0, description: 'Process id' }),
  user: Text(32),
  cpu: Type.Number({
    minimum: 0,
    description: 'CPU time over the life of the process, in percent of one core',
  }),
  mem: Type.Number({ minimum: 0, description: 'Resident memory, in percent of the host' }),
  rss_mb: Type.Number({ minimum: 0, description: 'Resident memory in MiB' }),
  command: Text(1000, { description: 'The command line' }),
})
export type Process = Static<typeof Process>

export const Processes = Type.Object({ processes: Type.Array(Process, { maxItems: 50 }) })

export const ProcessQuery = Type.Object({ sort: Type.Optional(ProcessOrder) })
export const ProcessPath = Type.Object({
  pid: Type.Integer({ minimum: 1, maximum: 4_194_304, description: 'Process id' }),
})

export const KillQuery = Type.Object({
  grace: Type.Integer({
    minimum: 0,
    maximum: 30,
    default: 0,
    description: 'Seconds that the process is given to end by itself after SIGTERM; 0 kills it at once',
    expects: 'a number of seconds from 0 to 30',
  }),
})

import { data } from '../../core/reply.ts'
import { endpoint } from './context.ts'
import { SystemInfo } from './model.ts'

export const getInfo = endpoint({
  method: 'GET',
  path: '/info',
  summary: 'Read what this host is: name, system, processors, memory, disks, load',
  effect: 'reads',
  reply: data(SystemInfo),
  run: ({ system }) => system.info(),
})

export const systemEndpoints = [getInfo]

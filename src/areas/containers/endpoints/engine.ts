import { local } from '../../../core/endpoint.ts'
import { accepted, data } from '../../../core/reply.ts'
import { installing } from '../../programs/index.ts'
import { endpoint } from '../context.ts'
import { EngineStatus } from '../model.ts'
import * as status from '../status.ts'

export const readEngine = endpoint({
  method: 'GET',
  path: '/status',
  summary: 'Read whether Docker Engine is installed and runs, and what it has',
  effect: 'reads',
  reply: data(EngineStatus),
  run: ({ containers }) => status.readStatus(containers),
})

export const installEngine = endpoint({
  method: 'POST',
  path: '/install',
  summary: 'Install Docker Engine with the package manager of the host, and start it',
  effect: 'changes',
  category: local('programs are installed on each host'),
  reply: accepted(installing),
  run: () => ({ name: 'docker' }),
})

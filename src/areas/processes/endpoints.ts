import { local } from '../../core/endpoint.ts'
import { data, succeeded } from '../../core/reply.ts'
import { endpoint } from './context.ts'
import { KillQuery, Processes, ProcessPath, ProcessQuery } from './model.ts'
import * as verbs from './processes.ts'

export const listProcesses = endpoint({
  method: 'GET',
  base: '/system',
  path: '/processes',
  summary: 'List up to 50 processes of the host',
  effect: 'reads',
  query: ProcessQuery,
  reply: data(Processes),
  throws: { ps_error: verbs.PsFailed },
  run: async ({ query, processes }) => ({
    processes: await verbs.listProcesses(processes.run, query.sort ?? 'cpu'),
  }),
})

export const killProcess = endpoint({
  method: 'POST',
  base: '/system',
  path: '/processes/{pid}/kill',
  summary: 'Kill a process with SIGKILL, after a SIGTERM if it is given time to end',
  effect: 'destroys',
  category: local('the process runs on this host'),
  params: ProcessPath,
  query: KillQuery,
  reply: succeeded,
  timeoutMs: 60_000,
  throws: { forbidden: verbs.ProtectedProcess, kill_failed: verbs.KillFailed },
  run: ({ params, query, processes }) => verbs.killProcess(processes, params.pid, query.grace),
})

import { local } from '../../core/endpoint.ts'
import { signedIn } from '../../core/guard.ts'
import { accepted, data } from '../../core/reply.ts'
import { UpdatesUnknown } from '../../host/updates.ts'
import { endpoint } from './context.ts'
import { UpdateRequest, Updates } from './model.ts'
import { UpdatesRunning } from './problems.ts'
import { updating } from './updating.ts'

export const listUpdates = endpoint({
  method: 'GET',
  base: '/system',
  path: '/updates',
  summary: 'List the pending updates of packages, and whether this host must be restarted for installed ones',
  effect: 'reads',
  guard: signedIn,
  reply: data(Updates),
  timeoutMs: 90_000,
  throws: { updates_unknown: UpdatesUnknown },
  run: ({ updates }) => updates.read(),
})

export const installUpdates = endpoint({
  method: 'POST',
  base: '/system',
  path: '/updates',
  summary: 'Install updates of packages, or fetch the package lists',
  effect: 'changes',
  category: local('packages are updated on each host'),
  body: UpdateRequest,
  reply: accepted(updating),
  throws: { already_running: UpdatesRunning },
  timeoutMs: 90_000,
  run: ({ body }) => body,
})

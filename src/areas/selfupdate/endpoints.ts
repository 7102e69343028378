import { local } from '../../core/endpoint.ts'
import { data, flat } from '../../core/reply.ts'
import { endpoint } from './context.ts'
import { SelfUpdate, UpdateStarted } from './model.ts'
import { UpdateFailed } from './problems.ts'
import * as updating from './self-updating.ts'

export const readSelfUpdate = endpoint({
  method: 'GET',
  path: '',
  summary: 'Read the version of the panel, the newest release for this host, and how the last update ended',
  effect: 'reads',
  reply: data(SelfUpdate),
  timeoutMs: 45_000,
  run: ({ selfupdate }) => updating.readSelfUpdate(selfupdate),
})

export const updatePanel = endpoint({
  method: 'POST',
  path: '',
  summary:
    'Install the newest release of the panel; it returns to this version if the new one does not become ready',
  effect: 'changes',
  changesAccess: true,
  category: local('each host updates its own panel'),
  reply: flat(UpdateStarted),
  throws: { update_failed: UpdateFailed },
  timeoutMs: 45_000,
  run: ({ selfupdate, caller }) => updating.startUpdate(selfupdate, caller.user.id),
})

import { local } from '../../core/endpoint.ts'
import { signedIn } from '../../core/guard.ts'
import { data, succeeded } from '../../core/reply.ts'
import { changeLimits } from './change.ts'
import { endpoint } from './context.ts'
import { LimitsEdit, LimitsOfUsers } from './model.ts'
import { LimitsInvalid, PackageInUse } from './problems.ts'
import { readLimits } from './read.ts'

export const getLimits = endpoint({
  method: 'GET',
  path: '',
  summary:
    'Read the limits and the usage of hosting users: your own, or all and the packages for a superuser',
  effect: 'reads',
  guard: signedIn,
  reply: data(LimitsOfUsers),
  run: ({ limits, caller }) => readLimits(limits, caller),
})

export const setLimits = endpoint({
  method: 'POST',
  path: '',
  summary: 'Replace the packages, and give hosting users a package or limits of their own',
  description:
    'A package is a named set of limits. CPU, memory and tasks are those of all processes of the Linux account together, where systemd and the kernel limit them.',
  effect: 'changes',
  category: local('each host has limits of its own'),
  body: LimitsEdit,
  reply: succeeded,
  throws: { bad_request: LimitsInvalid, conflict: PackageInUse },
  run: ({ limits, body }) => changeLimits(limits, body),
})

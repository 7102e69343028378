import { failures, local } from '../../core/endpoint.ts'
import { data } from '../../core/reply.ts'
import { AccountFailed } from '../../host/accounts.ts'
import { notTaken } from '../../host/apply/problems.ts'
import { ServiceFailed } from '../../host/services.ts'
import { checkDrift } from './check.ts'
import { endpoint } from './context.ts'
import * as verbs from './drift.ts'
import { DriftChecked, DriftPath, DriftQuery, DriftReport, DriftSettled } from './model.ts'
import { DriftGone, NotAdoptable, NotRevertible } from './problems.ts'
import { RightsFailed } from './rights-step.ts'

const category = local('the files, services and accounts of this host')

export const getDrift = endpoint({
  method: 'GET',
  path: '',
  summary: 'Compare the files, services and accounts that the panel manages with how it left them',
  effect: 'reads',
  query: DriftQuery,
  reply: data(DriftReport),
  run: ({ drift, query }) => verbs.reportDrift(drift, query),
})

export const checkNow = endpoint({
  method: 'POST',
  path: '/check',
  summary: 'Check now what differs, and raise notifications, as the scheduled check does',
  effect: 'probes',
  reply: data(DriftChecked),
  run: ({ drift, now }) => checkDrift(drift, now),
})

export const adoptDrift = endpoint({
  method: 'POST',
  path: '/{id}/adopt',
  summary: 'Accept a difference: the present state is the wanted one from now on',
  description:
    'The host stays as it is. A later change of a file by the panel still asks before it replaces manual edits. A mode or an owner by which others than root could write to a file is not adopted.',
  effect: 'changes',
  category,
  params: DriftPath,
  reply: data(DriftSettled),
  throws: { not_found: DriftGone, not_adoptable: NotAdoptable },
  run: ({ drift, params, now }) => verbs.adoptDrift(drift, params.id, now),
})

export const revertDrift = endpoint({
  method: 'POST',
  path: '/{id}/revert',
  summary: 'Make a file, a service or an account as the panel left it; the plan shows what changes',
  description:
    'The program of a file checks it before it is loaded. A file has its former mode and owner again.',
  effect: 'destroys',
  changesAccess: true,
  category,
  params: DriftPath,
  reply: data(DriftSettled),
  timeoutMs: 300_000,
  throws: failures(
    { not_found: DriftGone, not_revertible: NotRevertible, revert_failed: [...notTaken, RightsFailed] },
    { service_failed: ServiceFailed, account_failed: AccountFailed },
  ),
  run: ({ drift, params }) => verbs.revertDrift(drift, params.id),
})

import { failures, local } from '../../../core/endpoint.ts'
import { superuser } from '../../../core/guard.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { ofServer } from '../failures.ts'
import { SkipErrors, Skipped } from '../model.ts'
import { NotBroken, NotReplica, NotSynchronised } from '../problems.ts'
import * as replica from '../replica.ts'

const changing = endpoint.with({
  base: '/settings',
  guard: superuser,
  category: local('each host has an SQL server of its own'),
  throws: ofServer,
  timeoutMs: 300_000,
})

export const restartReplication = changing({
  method: 'POST',
  path: '/sqldb/replication/restart',
  summary: 'Stop and start the replication of this replica, so that it tries again at once',
  effect: 'changes',
  reply: succeeded,
  throws: failures({ conflict: [NotReplica, NotSynchronised] }),
  run: ({ sqlreplication }) => replica.restartReplication(sqlreplication),
})

export const skipReplicationError = changing({
  method: 'POST',
  path: '/sqldb/replication/skip-error',
  summary: 'Leave out the one change at which this replica stopped, and go on',
  description:
    'The change is lost on this replica: the reply, and the plan before, show its statements where the log has them.',
  effect: 'destroys',
  reply: data(Skipped),
  throws: failures({ conflict: NotBroken }),
  run: ({ sqlreplication }) => replica.skipError(sqlreplication),
})

export const setSkippedErrors = changing({
  method: 'POST',
  path: '/sqldb/slave-skip-errors',
  summary: 'Set which errors this server passes over when it applies changes, and restart it',
  description: 'Each change that fails with one of them is lost on this replica, and nothing reports it.',
  effect: 'changes',
  body: SkipErrors,
  reply: succeeded,
  run: ({ sqlreplication, body }) => replica.setSkippedErrors(sqlreplication, body.slave_skip_errors),
})

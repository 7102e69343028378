import Type from 'typebox'
import { problem } from '../../core/problem.ts'

export const PeerInvalid = problem('bad_request', 400, 'The other panel cannot be used')
export const PeerFailed = problem('peer_failed', 502, 'The other panel did not do what was asked')
export const ReplicaInvalid = problem('bad_request', 400, 'The replica is invalid')
export const ReplicaTaken = problem('conflict', 409, 'There is a replica of this name')
export const RoleTaken = problem('conflict', 409, 'This SQL server has a role in replication already')
export const NotReplica = problem(
  'conflict',
  409,
  'This SQL server is no replica: connect it to a primary first',
)
export const NotPrimary = problem(
  'conflict',
  409,
  'This SQL server writes no binary log, so that no other can follow it: make it a primary first',
)
export const NotSynchronised = problem(
  'conflict',
  409,
  'This replica has not got the databases of its primary yet: synchronise it first',
)
export const NotBroken = problem('conflict', 409, 'This replica has not stopped at a change')
export const WouldReplace = problem(
  'conflict',
  409,
  'Databases of this host would be replaced: send overwrite=true to replace them',
  {
    fields: Type.Object({
      databases: Type.Array(Type.String(), { description: 'The databases that would be replaced' }),
    }),
  },
)
export const DatabaseUnknown = problem('bad_request', 400, 'There is no such database')

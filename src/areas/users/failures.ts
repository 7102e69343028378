import { connectProblems } from '../../host/connect/index.ts'
import type { ProblemKind } from '../../core/problem.ts'
import { AccountFailed } from '../../host/accounts.ts'
import { ownerProblems as owner } from '../../host/owner/index.ts'
import { ServiceFailed } from '../../host/services.ts'
import { notTaken } from '../../tools/nginx/index.ts'

/** Failures of the steps that end what belongs to a user; everything that can be restored is. */
export const deletionRefused: readonly ProblemKind[] = [
  connectProblems.SqlRefused,
  connectProblems.NotAnswering,
  AccountFailed,
  ServiceFailed,
  ...notTaken,
  owner.NotPermitted,
  owner.NoSuchFile,
  owner.TooLarge,
  owner.ToolMissing,
  owner.HelperFailed,
]

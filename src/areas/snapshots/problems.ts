import { problem } from '../../core/problem.ts'

export const NameTaken = problem('name_taken', 409, 'A snapshot has this name already')
export const SnapshotMissing = problem('not_found', 404, 'There is no such snapshot')
export const SnapshotUnfit = problem('snapshot_unfit', 409, 'The snapshot does not fit this host any more')
export const SnapshotFailed = problem('snapshot_failed', 500, 'The snapshot was not made')

import { problem } from '../../core/problem.ts'

export const NoSuchBackup = problem('not_found', 404, 'There is no such backup')
export const BadBackupName = problem('bad_request', 400, 'This is not the name of a backup')
export const NoSuchAccount = problem('not_found', 404, 'The server has no such account')
export const AccountOfPanel = problem('conflict', 409, 'The panel uses this account')

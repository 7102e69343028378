import type { Migration } from '../../../core/area.ts'

/** Accounts of before are found in /etc/passwd; the uids of those that were deleted are unknown. */
export const createAccountUids: Migration = {
  name: '202611271910-account-uids',
  statements: ['create table account_uids (uid integer primary key)'],
}

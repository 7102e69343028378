import type { Migration } from '../../../core/area.ts'

/** Failed sign-ins are counted in memory, for each address and account; no account is locked. */
export const dropAccountLock: Migration = {
  name: '202611221000-no-account-lock',
  statements: ['alter table users drop column failed_sign_ins', 'alter table users drop column locked_until'],
}

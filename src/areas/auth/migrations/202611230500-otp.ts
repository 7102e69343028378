import type { Migration } from '../../../core/area.ts'

/** One-time codes of an authenticator app as second factor, and the codes that replace it once each. */
export const createOtpFactors: Migration = {
  name: '202611230500-otp',
  statements: [
    `create table otp_factors (
      user_id integer primary key references users (id) on delete cascade, sealed_secret text not null,
      last_counter integer not null, created_at text not null, enabled_at text
    )`,
    `create table recovery_codes (
      hash text primary key, user_id integer not null references users (id) on delete cascade
    )`,
    'create index recovery_codes_by_user on recovery_codes (user_id)',
  ],
}

import type { Migration } from '../../../core/area.ts'

/** A passkey is bound to the origin that it was added at, with its port. Those that are not are deleted. */
export const addPasskeyOrigins: Migration = {
  name: '202611231501-passkey-origins',
  statements: ['delete from passkeys', "alter table passkeys add column origin text not null default ''"],
}

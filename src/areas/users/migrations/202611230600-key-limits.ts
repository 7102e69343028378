import type { Migration } from '../../../core/area.ts'

/** Keys may expire, be used from some addresses only, and have fewer permissions than their user. */
export const addKeyLimits: Migration = {
  name: '202611230600-key-limits',
  statements: [
    'alter table api_keys add column expires_at text',
    'alter table api_keys add column allowed_addresses text',
    'alter table api_keys add column permissions text',
  ],
}

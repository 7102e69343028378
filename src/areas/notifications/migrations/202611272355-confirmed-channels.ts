import type { Migration } from '../../../core/area.ts'

/** When the receiver of a channel agreed to it; those of before have received notifications already. */
export const addConfirmations: Migration = {
  name: '202611272355-confirmed-channels',
  statements: [
    'alter table notification_channels add column confirmed_at text',
    'update notification_channels set confirmed_at = created_at',
  ],
}

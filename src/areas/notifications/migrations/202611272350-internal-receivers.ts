import type { Migration } from '../../../core/area.ts'

/** Whether the user who set a channel could reach internal addresses then; those of before keep what their user may do. */
export const addInternalReceivers: Migration = {
  name: '202611272350-internal-receivers',
  statements: [
    'alter table notification_channels add column allows_internal integer not null default 0',
    'update notification_channels set allows_internal = (select is_admin from users where users.id = user_id)',
  ],
}

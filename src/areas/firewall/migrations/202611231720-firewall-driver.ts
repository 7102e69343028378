import type { Migration } from '../../../core/area.ts'

/** What filters beside the table of the panel. */
export const addFirewallDriver: Migration = {
  name: '202611231720-firewall-driver',
  statements: ["alter table firewall_settings add column driver text not null default 'nftables'"],
}

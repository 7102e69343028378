import type { Migration } from '../../../core/area.ts'

/** The rules of the firewall, the banned addresses, and one row of settings. */
export const createFirewall: Migration = {
  name: '202611231600-firewall',
  statements: [
    `create table firewall_settings (
      id integer primary key, is_enabled integer not null, bans_sign_ins integer not null, attempts integer not null,
      window_minutes integer not null, ban_minutes integer not null, never_ban text not null, revision integer not null
    )`,
    `insert into firewall_settings values (1, 0, 1, 10, 10, 60, '[]', 1)`,
    `create table firewall_rules (
      id integer primary key, rank integer not null, action text not null, protocol text not null, family text not null,
      ports text not null, sources text not null, rate text, comment text not null
    )`,
    `create table firewall_bans (
      address text primary key, reason text not null, source text not null, banned_at text not null, until text
    )`,
  ],
}

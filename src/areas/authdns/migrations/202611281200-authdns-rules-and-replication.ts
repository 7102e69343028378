import type { Migration } from '../../../core/area.ts'

/** The smart rules, and the role of this server in replication. */
export const createRulesAndReplication: Migration = {
  name: '202611281200-authdns-rules-and-replication',
  statements: [
    `create table authdns_rules (
      id integer primary key, zone text not null, record_name text not null, record_type text not null,
      rule_type text not null, config text not null, enabled integer not null, created_at text not null,
      revision integer not null
    )`,
    'create unique index authdns_rules_name on authdns_rules (record_name, record_type)',
    `create table authdns_replication (
      id integer primary key, role text not null, master_ip text not null, allow_axfr_ips text not null,
      also_notify text not null, autosecondary integer not null, nameserver text not null,
      revision integer not null
    )`,
  ],
}

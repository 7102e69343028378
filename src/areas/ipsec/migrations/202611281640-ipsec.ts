import type { Migration } from '../../../core/area.ts'

/** The tunnels to other gateways. */
export const createTunnels: Migration = {
  name: '202611281640-ipsec',
  statements: [
    `create table ipsec_tunnels (
      id integer primary key, name text not null unique, local_ip text not null, remote_ip text not null,
      sealed_secret text not null, remote_id text not null, local_subnet text not null,
      remote_subnet text not null, ike_version integer not null, ike_lifetime text not null,
      tunnel_lifetime text not null, dpd_delay text not null, dpd_timeout text not null,
      phase1_proposals text not null, phase2_proposals text not null, dh_group text not null,
      replay_detection integer not null, pfs_enabled integer not null, key_lifetime text not null,
      enabled integer not null, created_at text not null, revision integer not null
    )`,
  ],
}

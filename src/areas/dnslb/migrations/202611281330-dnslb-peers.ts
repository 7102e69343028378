import type { Migration } from '../../../core/area.ts'

/** The other panels whose DNS balancers get the lists of this one. */
export const createPeers: Migration = {
  name: '202611281330-dnslb-peers',
  statements: [
    `create table dnslb_peers (
      id integer primary key, name text not null unique, host text not null, port integer not null,
      public_key text not null, sealed_key text not null, status text not null,
      last_check text, last_sync text, push_id text not null, created_at text not null, revision integer not null
    )`,
  ],
}

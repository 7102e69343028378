import type { Migration } from '../../../core/area.ts'

/** How the control server of the mesh is set up. */
export const createVpnGateway: Migration = {
  name: '202611281630-vpn-gateway',
  statements: [
    `create table vpn_gateway (
      id integer primary key, domain text, username text, base_domain text not null, subnet text not null,
      magic_dns integer not null, nameservers text not null, website_id integer, revision integer not null
    )`,
  ],
}

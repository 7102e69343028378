import Type, { type Static } from 'typebox'
import { Cidr, OneOf, Text, Time } from '../../../core/schemas.ts'

export const roles = ['native', 'master', 'slave'] as const

const Address = Text(60, {
  description: 'Address, with a port where it is not 53: 192.0.2.1:5300 or [2001:db8::1]:5300',
  expects: 'an IP address',
})
const networks = { maxItems: 200, description: 'Addresses and networks that may transfer zones' }
const notified = { maxItems: 50, description: 'Servers that are notified besides the name servers of a zone' }

export const ReplicationDraft = Type.Object({
  role: OneOf(roles, {
    description:
      'native: zones are not transferred; master: secondaries transfer them from here; slave: they are transferred from master_ip',
  }),
  allow_axfr_ips: Type.Optional(Type.Array(Cidr, networks)),
  also_notify: Type.Optional(Type.Array(Address, notified)),
  master_ip: Type.Optional(Address),
  autosecondary: Type.Optional(
    Type.Boolean({ default: false, description: 'Create the zones that the master notifies of' }),
  ),
  nameserver: Type.Optional(
    Text(253, { description: 'With autosecondary: the name of this server among the NS of those zones' }),
  ),
})
export type ReplicationDraft = Static<typeof ReplicationDraft>

const States = OneOf(['synced', 'pending', 'failed'], {
  description:
    'pending: not transferred yet, or an announced change is missing; failed: the master does not answer or refuses',
})

export const SecondaryZone = Type.Object({
  name: Text(255),
  serial: Type.Integer({ minimum: 0, description: 'Serial that was transferred; 0 for none' }),
  last_check: Type.Union([Time, Type.Null()], { description: 'When the master was last asked with success' }),
  kind: Text(20),
  status: States,
})
export type SecondaryZone = Static<typeof SecondaryZone>

export const Replication = Type.Object({
  role: OneOf(roles),
  master_ip: Type.Optional(Address),
  allow_axfr_ips: Type.Array(Cidr, networks),
  also_notify: Type.Array(Address, notified),
  autosecondary: Type.Boolean({ description: 'Whether zones that the master notifies of are created' }),
  nameserver: Type.Optional(Text(253)),
  zones: Type.Optional(
    Type.Array(SecondaryZone, { maxItems: 1_000_000, description: 'Only for the role slave' }),
  ),
})
export type Replication = Static<typeof Replication>

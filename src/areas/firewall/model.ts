import Type, { type Static } from 'typebox'
import { Cidr, Id, OneOf, Optional, Port, Text, Time } from '../../core/schemas.ts'

const Action = OneOf(['allow', 'deny', 'reject', 'limit'], {
  description: 'What happens to a packet that matches; limit admits the rate and drops the rest',
})
const Protocol = OneOf(['any', 'tcp', 'udp', 'icmp'], { description: 'Protocol of the packet' })
const Family = OneOf(['any', 'ipv4', 'ipv6'], { description: 'Version of IP' })

const Ports = Type.Array(
  Type.String({
    maxLength: 11,
    pattern: '^[1-9][0-9]{0,4}(?:-[1-9][0-9]{0,4})?$',
    description: 'Port or range',
    expects: 'a port from 1 to 65535 such as 443, or a range such as 8000-8100',
  }),
  { maxItems: 100, description: 'Ports of this host; empty for all' },
)

const Sources = Type.Array(Cidr, {
  maxItems: 1000,
  description: 'Addresses and networks that the packet comes from; empty for all',
})

const Rate = Type.String({
  maxLength: 16,
  pattern: '^[1-9][0-9]{0,5}/(?:second|minute|hour|day)$',
  description: 'New connections of one source address that a rule with limit admits',
  expects: 'a rate such as 10/minute',
})

const Comment = Text(200, { description: 'What the rule is for' })

export const FirewallRuleDraft = Type.Object({
  position: Optional(
    Type.Integer({
      minimum: 1,
      maximum: 5000,
      description: 'Place in the order of the rules, from 1; absent for the last',
    }),
  ),
  action: Action,
  protocol: Type.Enum(['any', 'tcp', 'udp', 'icmp'], {
    description: 'Protocol of the packet',
    default: 'any',
    expects: 'one of any, tcp, udp, icmp',
  }),
  ports: Optional(Ports),
  sources: Optional(Sources),
  family: Optional(Family),
  rate: Optional(Rate),
  comment: Optional(Comment),
})
export type FirewallRuleDraft = Static<typeof FirewallRuleDraft>

export const FirewallRule = Type.Object({
  id: Id,
  position: Type.Integer({ description: 'Place in the order of the rules, from 1' }),
  action: Action,
  protocol: Protocol,
  ports: Ports,
  sources: Sources,
  family: Family,
  rate: Type.Union([Rate, Type.Null()]),
  comment: Comment,
  packets: Type.Union([Type.Integer({ description: 'Packets that matched' }), Type.Null()]),
  bytes: Type.Union([Type.Integer({ description: 'Their bytes' }), Type.Null()]),
})
export type FirewallRule = Static<typeof FirewallRule>

const confirmation = {
  change_id: Type.Union([
    Type.Integer({ description: 'The change that has to be confirmed; null if it is settled' }),
    Type.Null(),
  ]),
  confirm_before: Type.Union([Time, Type.Null()]),
}

/** The reply to a change that may have to be confirmed. */
export const FirewallChange = Type.Object(confirmation)
export type FirewallChange = Static<typeof FirewallChange>

export const AddedRule = Type.Object({ id: Id, ...confirmation })
export type AddedRule = Static<typeof AddedRule>

const Title = Text(200, { description: 'Name' })

export const OpenedPort = Type.Object({
  port: Port,
  protocol: OneOf(['tcp', 'udp'], { description: 'Protocol' }),
  name: Text(200, { description: 'Who opened it' }),
  reason: Text(500, { description: 'Why it is open' }),
})

export const FirewallStatus = Type.Object({
  driver: OneOf(['nftables', 'ufw', 'firewalld'], {
    description:
      'What filters: the table of the panel alone, or before the rules of another firewall, which decide on the rest',
  }),
  enabled: Type.Boolean({ description: 'True if packets without a rule are dropped' }),
  is_live: Type.Boolean({ description: 'True if the kernel has the table of the panel' }),
  other: Type.Union([
    OneOf(['ufw', 'firewalld'], { description: 'Another firewall that is active' }),
    Type.Null(),
  ]),
  pending: Type.Union([
    Type.Object({
      change_id: Type.Integer({ description: 'The change to confirm' }),
      confirm_before: Time,
      summary: Text(500, { description: 'What was changed' }),
    }),
    Type.Null(),
  ]),
  opened: Type.Array(OpenedPort, { maxItems: 1000, description: 'Ports that are open without a rule' }),
  denied_packets: Type.Union([
    Type.Integer({ description: 'Packets that were dropped as no rule admits them' }),
    Type.Null(),
  ]),
  foreign: Type.Array(
    Type.Object({
      owner: OneOf(['docker', 'fail2ban', 'ufw', 'firewalld', 'manual'], { description: 'Who made them' }),
      family: Text(20, { description: 'Family of the table' }),
      table: Title,
      chain: Title,
      rules: Type.Array(Text(1000, { description: 'Rule as nft prints it' }), {
        maxItems: 500,
        description: 'Its rules',
      }),
    }),
    { maxItems: 500, description: 'Rules of others, which the panel does not change' },
  ),
})
export type FirewallStatus = Static<typeof FirewallStatus>

export const FirewallRulePath = Type.Object({ id: Id })

const Address = Type.String({
  maxLength: 45,
  pattern: '^[0-9a-fA-F:.]+$',
  description: 'IP address; an IPv6 address stands for its /64',
  expects: 'an IP address such as 192.0.2.7',
})
const Reason = Text(500, { description: 'Why the address is banned' })

export const BanDraft = Type.Object({
  address: Address,
  duration_seconds: Optional(
    Type.Integer({
      minimum: 1,
      maximum: 31_536_000,
      description: 'Seconds until it is released; absent for no end',
      expects: 'a number of seconds from 1 to 31536000',
    }),
  ),
  reason: Optional(Reason),
})
export type BanDraft = Static<typeof BanDraft>

export const Ban = Type.Object({
  address: Text(50, { description: 'Address, or the /64 of an IPv6 address' }),
  reason: Reason,
  source: OneOf(['manual', 'panel', 'ssh'], {
    description: 'Who banned it: an administrator, or failed sign-ins, the last one to the panel or over SSH',
  }),
  banned_at: Time,
  until: Type.Union([Time, Type.Null()]),
})
export type Ban = Static<typeof Ban>

export const BanPath = Type.Object({
  address: Type.String({
    maxLength: 50,
    pattern: '^[0-9a-fA-F:.]+(?:/64)?$',
    description: 'Banned address',
    expects: 'a banned address',
  }),
})

const amount = (description: string, maximum: number) =>
  Type.Integer({ minimum: 1, maximum, description, expects: `a whole number from 1 to ${maximum}` })

export const BanSettings = Type.Object({
  bans_sign_ins: Type.Boolean({
    description: 'Ban addresses whose sign-ins to the panel fail again and again',
  }),
  attempts: amount('Failed sign-ins after which an address is banned', 1000),
  window_minutes: amount('Minutes within which they are counted', 1440),
  ban_minutes: amount('Minutes for which the address is banned', 525_600),
  never_ban: Type.Array(Cidr, {
    maxItems: 200,
    description: 'Addresses and networks that are never banned, besides loopback and your own',
  }),
})
export type BanSettings = Static<typeof BanSettings>

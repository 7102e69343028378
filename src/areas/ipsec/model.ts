import Type, { type Static } from 'typebox'
import { Id, Masked, OneOf, Revealed, Reveal, Secret, Text, Time } from '../../core/schemas.ts'

/** The ciphers that strongSwan has for both phases. */
export const encryptions = [
  'aes128',
  'aes192',
  'aes256',
  'aes128gcm16',
  'aes192gcm16',
  'aes256gcm16',
  'chacha20poly1305',
  '3des',
] as const
export const integrities = ['sha256', 'sha384', 'sha512', 'sha1', 'md5'] as const
export const groups = [
  'modp2048',
  'modp3072',
  'modp4096',
  'modp6144',
  'modp8192',
  'ecp256',
  'ecp384',
  'ecp521',
  'curve25519',
  'modp1536',
  'modp1024',
] as const
/** All addresses. On both sides it stands for no networks: the tunnel joins the two gateways alone. */
export const anyNetwork = '0.0.0.0/0'

export const Protection = Type.Object({
  enc: OneOf(encryptions, { description: 'Cipher' }),
  auth: OneOf(integrities, {
    description: 'Hash; a cipher that authenticates itself takes it for its keys alone',
  }),
})
export const Protections = Type.Array(Protection, {
  minItems: 1,
  maxItems: 8,
  description: 'In the order of preference',
})
const usual: Static<typeof Protections> = [{ enc: 'aes256', auth: 'sha256' }]

const Lifetime = (description: string, options: { default?: string }) =>
  Type.String({
    ...options,
    maxLength: 8,
    pattern: '^[1-9][0-9]{0,6}[smhd]$',
    description,
    expects: 'a whole number above 0 and a unit (s, m, h or d), such as 8h',
  })

/** What a tunnel is configured with; absent fields get these defaults, or none are filled in. */
function fieldsOf(isNew: boolean) {
  const by = <Value>(value: Value) => (isNew ? { default: value } : {})
  return {
    local_subnet: Text(43, {
      ...by(anyNetwork),
      description: `IPv4 network of this side; ${anyNetwork} is all of it, or none if remote_subnet is that too`,
    }),
    remote_subnet: Text(43, {
      ...by(anyNetwork),
      description: `IPv4 network of the other side; ${anyNetwork} on both sides joins the gateways alone`,
    }),
    remote_id: Text(200, {
      minLength: 0,
      ...by(''),
      description: 'What the other gateway calls itself; empty for remote_ip',
    }),
    ike_version: Type.Integer({
      ...by(1),
      minimum: 1,
      maximum: 2,
      description: 'Version of IKE, the same on both sides',
      expects: '1 or 2',
    }),
    ike_lifetime: Lifetime('The gateways agree on new keys for themselves after this time', by('24h')),
    tunnel_lifetime: Lifetime('A key that was not replaced ends after this time', by('8h')),
    key_lifetime: Lifetime('The key of the packets is replaced after this time', by('1h')),
    dpd_delay: Lifetime('Silence after which the other gateway is asked whether it is there', by('30s')),
    dpd_timeout: Lifetime('Silence after which IKEv1 gives the other gateway up', by('120s')),
    phase1_proposals: Type.Array(Protection, { ...Protections, ...by(usual) }),
    phase2_proposals: Type.Array(Protection, { ...Protections, ...by(usual) }),
    dh_group: OneOf(groups, { ...by('modp2048'), description: 'Group of the key exchange' }),
    replay_detection: Type.Boolean({ ...by(true), description: 'Drop packets that were received before' }),
    pfs_enabled: Type.Boolean({ ...by(true), description: 'Agree on each key of the packets anew' }),
  }
}

const Name = Text(100, { minLength: 1, description: 'Name', expects: 'a name of 1 to 100 characters' })
const Address = (description: string) =>
  Text(45, { minLength: 1, description, expects: 'an IP address such as 192.0.2.1' })
const remote = Address('Public IP address of the other gateway')
const own = Address(
  'IP address that this gateway calls itself by; default: the one from which it reaches the other',
)
const SharedSecret = Secret({
  minLength: 8,
  maxLength: 512,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description: 'The same on both gateways',
  expects: 'a secret of 8 to 512 characters on one line',
})

export const TunnelDraft = Type.Object({
  name: Name,
  remote_ip: remote,
  local_ip: Type.Optional(own),
  shared_secret: Type.Optional(
    Type.String({ ...SharedSecret, description: 'The same on both gateways; default: a new one' }),
  ),
  ...fieldsOf(true),
})
export type TunnelDraft = Static<typeof TunnelDraft>

export const TunnelEdit = Type.Partial(
  Type.Object({
    name: Name,
    remote_ip: remote,
    local_ip: own,
    shared_secret: SharedSecret,
    ...fieldsOf(false),
  }),
)
export type TunnelEdit = Static<typeof TunnelEdit>

const stored = {
  id: Id,
  name: Text(100),
  local_ip: Text(45),
  remote_ip: Text(45),
  ...fieldsOf(false),
  enabled: Type.Boolean({ description: 'Whether it is kept up' }),
  created_at: Time,
}
const live = {
  status: OneOf(['up', 'connecting', 'down', 'disabled', 'stopped'], {
    description: '`stopped`: strongSwan does not run; `connecting`: the gateways negotiate',
  }),
  reason: Text(1000, { description: 'Why it is not up, as charon tells; empty if it is up or disabled' }),
  received_bytes: Type.Integer({ minimum: 0, description: 'Received with the present key' }),
  sent_bytes: Type.Integer({ minimum: 0, description: 'Sent with the present key' }),
}

export const Tunnel = Type.Object({
  ...stored,
  shared_secret: Masked({ description: 'The same on both gateways' }),
  ...live,
})
export type Tunnel = Static<typeof Tunnel>
export const mostTunnels = 200
export const Tunnels = Type.Array(Tunnel, { maxItems: mostTunnels })
export const TunnelPath = Type.Object({ id: Id })
export const TunnelQuery = Type.Object({ reveal: Reveal })

export const StoredTunnel = Type.Object(stored)
export type StoredTunnel = Static<typeof StoredTunnel>
export const NewTunnel = Type.Object({
  ...stored,
  shared_secret: Revealed({ description: 'To be entered on the other gateway' }),
})
export type NewTunnel = Static<typeof NewTunnel>

export const Toggled = Type.Object({ id: Id, enabled: Type.Boolean() })
export const GeneratedSecret = Type.Object({ secret: Revealed({ description: '43 characters' }) })
export const LocalAddress = Type.Object({
  local_ip: Text(45, { description: 'The address from which this host reaches others' }),
})

export const IpsecStatus = Type.Object({
  installed: Type.Boolean(),
  running: Type.Boolean(),
  version: Type.Union([Text(100), Type.Null()]),
  reason: Type.Union([Text(2000), Type.Null()]),
  tunnels: Type.Integer({ minimum: 0, description: 'Enabled tunnels' }),
  up: Type.Integer({ minimum: 0, description: 'Those of which packets pass' }),
})
export type IpsecStatus = Static<typeof IpsecStatus>

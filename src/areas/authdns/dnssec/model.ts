import Type, { type Static } from 'typebox'
import { Text } from '../../../core/schemas.ts'

const Ds = Type.Array(Text(200), {
  maxItems: 64,
  description: 'Data of the DS records that the parent zone needs, digests of SHA-256 and SHA-384',
})

export const SigningKey = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'Its number in PowerDNS' }),
  keytype: Text(10, { description: 'csk signs both keys and records; ksk and zsk one of them' }),
  algorithm: Text(40, { description: 'Its algorithm, such as ECDSAP256SHA256' }),
  flags: Type.Integer({ minimum: 0, description: '257 for a key that the DS names, otherwise 256' }),
  active: Type.Boolean({ description: 'Whether it signs' }),
  published: Type.Boolean({ description: 'Whether the zone contains it' }),
  dnskey: Text(2000, { description: 'Data of its DNSKEY record' }),
})

export const Dnssec = Type.Object({
  signed: Type.Boolean({ description: 'Whether the zone is signed' }),
  ds: Ds,
  keys: Type.Array(SigningKey, { maxItems: 64, description: 'Keys without their private parts' }),
  parent: Type.Union([Type.Literal('published'), Type.Literal('absent'), Type.Literal('unknown')], {
    description:
      'Whether the resolver of this host finds the DS in the parent zone; unknown where it does not answer',
  }),
})
export type Dnssec = Static<typeof Dnssec>

export const DnssecEnabled = Type.Object({ signed: Type.Literal(true), ds: Ds })
export type DnssecEnabled = Static<typeof DnssecEnabled>

import Type, { type Static } from 'typebox'
import { OneOf, Text, Time } from '../../../core/schemas.ts'

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

const MaybeTime = (description: string) => Type.Union([Time, Type.Null()], { description })

export const Rollover = Type.Object({
  state: OneOf(['waiting_for_caches', 'waiting_for_parent', 'waiting_for_ds', 'ready'], {
    description:
      'waiting_for_caches: resolvers may have the keys without the new one, so the DS stays as it is. waiting_for_parent: the DS of the new key is to replace the former one in the parent zone. waiting_for_ds: resolvers may have the former DS. ready: the former key can be removed',
  }),
  former_id: Type.Integer({ minimum: 1, description: 'Number of the key that is replaced' }),
  new_id: Type.Integer({ minimum: 1, description: 'Number of the key that replaces it' }),
  ds: Ds,
  parent: OneOf(['former', 'new', 'both', 'other', 'none', 'unknown'], {
    description: 'The keys of which the resolver of this host finds a DS in the parent zone',
  }),
  started_at: Time,
  publish_from: Type.String({ ...Time, description: 'When the DS may be replaced in the parent zone' }),
  finish_from: MaybeTime(
    'When the former key may be removed; null until the parent has the DS of the new one',
  ),
})
export type Rollover = Static<typeof Rollover>

export const RolloverStep = Type.Object({
  step: OneOf(['start', 'ds_published', 'finish', 'cancel'], {
    description:
      'start: adds a new key, which signs beside the former one. ds_published: the parent has the DS of the new key. finish: removes the former key. cancel: removes the new one',
  }),
})
export type RolloverStep = Static<typeof RolloverStep>

export const Withdrawal = Type.Object({
  ds_seconds: Type.Integer({ minimum: 0, description: 'How long resolvers keep the DS' }),
  remove_from: MaybeTime('When the keys may be removed; null while the parent has the DS'),
})
export type Withdrawal = Static<typeof Withdrawal>

export const Dnssec = Type.Object({
  signed: Type.Boolean({ description: 'Whether the zone is signed' }),
  ds: Ds,
  keys: Type.Array(SigningKey, { maxItems: 64, description: 'Keys without their private parts' }),
  parent: Type.Union([Type.Literal('published'), Type.Literal('absent'), Type.Literal('unknown')], {
    description:
      'Whether the resolver of this host finds the DS in the parent zone; unknown where it does not answer',
  }),
  rollover: Type.Union([Rollover, Type.Null()], {
    description: 'The roll-over of its key; null where there is none',
  }),
  withdrawal: Type.Union([Withdrawal, Type.Null()], {
    description: 'How far disabling DNSSEC is; null where it was not begun',
  }),
})
export type Dnssec = Static<typeof Dnssec>

export const DnssecEnabled = Type.Object({ signed: Type.Literal(true), ds: Ds })
export type DnssecEnabled = Static<typeof DnssecEnabled>

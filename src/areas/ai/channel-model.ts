import Type, { type Static } from 'typebox'
import { Masked, OneOf, Optional, Secret } from '../../core/schemas.ts'

const policies = ['pairing', 'allowlist', 'disabled'] as const

const Senders = Type.Array(
  Type.String({
    maxLength: 100,
    pattern: '^[A-Za-z0-9@+_.:-]+$',
    expects: 'the id of a sender, as the channel has it',
  }),
  { maxItems: 500, description: 'Senders that are always admitted', expects: 'a list of ids of senders' },
)

export const Channel = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the assistant answers there' }),
  token: Optional(Masked({ maxLength: 1000, description: 'Token of the bot' })),
  dm_policy: OneOf(policies, {
    description: 'Who may write: after a pairing, the listed senders, or nobody',
  }),
  allow_from: Senders,
})
export type Channel = Static<typeof Channel>

export const ChannelDraft = Type.Object({
  enabled: Type.Boolean({ default: true, description: 'Whether the assistant answers there' }),
  token: Optional(
    Secret({
      maxLength: 1000,
      pattern: '^[^\\u0000-\\u0020\\u007f]*$',
      description: 'Token of the bot; absent or masked: the stored one',
      expects: 'a token without spaces',
    }),
  ),
  dm_policy: OneOf(policies, { default: 'pairing', description: 'Who may write' }),
  allow_from: Type.Array(Senders.items, {
    maxItems: 500,
    default: [],
    description: 'Senders that are always admitted',
    expects: 'a list of ids of senders',
  }),
})
export type ChannelDraft = Static<typeof ChannelDraft>

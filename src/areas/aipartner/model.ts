import Type, { type Static } from 'typebox'
import { Masked, OneOf, Optional, Prose, Secret, Text, Time } from '../../core/schemas.ts'

/** The most characters of one message of a user. */
export const longestMessage = 16_000
/** How many messages of a user are kept and shown. */
export const mostMessages = 200

const Blocked = Type.Boolean({ description: 'Whether the partner has blocked the trial' })

export const ActivatedTrial = Type.Object({
  activated: Type.Literal(true),
  expires_at: Time,
  reused: Type.Boolean({ description: 'Whether the partner knew a trial of this licence' }),
})
export type ActivatedTrial = Static<typeof ActivatedTrial>

export const PartnerStatus = Type.Object({
  build_ok: Type.Boolean({ description: 'Whether this build has an AI partner' }),
  activated: Type.Boolean({ description: 'Whether the trial was activated' }),
  expires_at: Optional(Time),
  activated_at: Optional(Time),
  blocked: Optional(Blocked),
  blocked_message: Optional(Prose(4000, { description: 'What the partner said; only while it is blocked' })),
  days_left: Optional(
    Type.Integer({ minimum: 0, maximum: 100_000, description: 'Begun days until it ends' }),
  ),
  channel_a: Optional(
    Type.Object({
      connected: Type.Boolean({ description: 'Whether a bot is configured' }),
      bot_username: Optional(Text(200, { description: 'Name of the bot' })),
      enabled: Optional(Type.Boolean({ description: 'Whether the bot answers' })),
    }),
  ),
})
export type PartnerStatus = Static<typeof PartnerStatus>

export const PartnerMessage = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'Ascends with time' }),
  role: OneOf(['user', 'assistant'], { description: 'Who wrote it' }),
  text: Prose(100_000, { description: 'What was written' }),
  created_at: Time,
})

export const PartnerMessages = Type.Object({
  messages: Type.Array(PartnerMessage, { maxItems: 200, description: 'The latest, the oldest first' }),
})
export type PartnerMessages = Static<typeof PartnerMessages>

export const ClearedMessages = Type.Object({ cleared: Type.Literal(true) })

export const PartnerChatQuery = Type.Object({
  token: Secret({ maxLength: 2000, description: 'Socket token for the purpose `partner-chat`, used once' }),
})

const names = (description: string) =>
  Type.Array(Text(64, { minLength: 1, description: 'Number or name at the messenger' }), {
    maxItems: 500,
    description,
    expects: 'a list of at most 500 numbers or names of the messenger',
  })

export const PartnerChannel = Type.Object({
  connected: Type.Boolean({ description: 'Whether a bot is configured' }),
  source: OneOf(['gateway', 'trial', 'none'], { description: 'By which token the partner was asked' }),
  enabled: Optional(Type.Boolean({ description: 'Whether the bot answers' })),
  channel_token: Optional(Masked({ maxLength: 300, description: 'Token of the bot' })),
  allowed_users: Optional(names('Who may write to the bot; everybody if empty')),
  allowed_user_ids: Optional(names('The same as `allowed_users`, under its former name')),
  allowed_groups: Optional(names('Groups in which the bot answers')),
  admin_users: Optional(names('Who may give orders to the bot')),
  mention_only: Optional(
    Type.Boolean({ description: 'Whether it answers in groups only where it is named' }),
  ),
  bot_username: Optional(Text(200, { description: 'Name of the bot' })),
})
export type PartnerChannel = Static<typeof PartnerChannel>

const botToken = Secret({
  minLength: 1,
  maxLength: 300,
  description: 'Token of the bot; a masked one keeps the former',
  expects: 'the token of a bot: 1 to 300 characters',
})

const settings = {
  enabled: Optional(Type.Boolean({ description: 'Whether the bot answers; default: true' })),
  allowed_users: Optional(names('Who may write to the bot; everybody if empty')),
  allowed_user_ids: Optional(names('Read as `allowed_users` where that is absent')),
  allowed_groups: Optional(names('Groups in which the bot answers')),
  admin_users: Optional(names('Who may give orders to the bot')),
  mention_only: Optional(
    Type.Boolean({ description: 'Whether it answers in groups only where it is named' }),
  ),
}

/** The whole configuration: what it leaves out gets its default. */
export const PartnerChannelDraft = Type.Object({ channel_token: botToken, ...settings })
export type PartnerChannelDraft = Static<typeof PartnerChannelDraft>

/** A change: what it leaves out stays. */
export const PartnerChannelEdit = Type.Object({ channel_token: Optional(botToken), ...settings })
export type PartnerChannelEdit = Static<typeof PartnerChannelEdit>

export const PartnerGatewayDraft = Type.Object({
  token: Secret({
    maxLength: 1000,
    description: 'Token of the gateway, from the partner',
    expects: 'the token of the gateway',
  }),
})

export const PartnerGatewayInstalling = Type.Object({
  installing: Type.Literal(true),
  message: Text(500, { description: 'How its progress is read' }),
  job_id: Type.Integer({ minimum: 0, description: 'The stored job that installs it' }),
})
export type PartnerGatewayInstalling = Static<typeof PartnerGatewayInstalling>

const outputText = { description: 'What the process manager printed' }

export const PartnerGatewayOutput = Type.Object({ output: Prose(20_000, outputText) })
export const PartnerGatewayRemoved = Type.Object({
  output: Prose(20_000, outputText),
  uninstalled: Type.Literal(true),
})

const count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })

export const PartnerGatewayStatus = Type.Object({
  installed: Type.Boolean({ description: 'Whether the gateway is installed' }),
  install_status: Optional(
    OneOf(['installing', 'installed', 'failed'], { description: 'Where its installation stands' }),
  ),
  installed_at: Optional(Time),
  running: Optional(Type.Boolean({ description: 'Whether its process runs' })),
  uptime_ms: Optional(count('Milliseconds since its start')),
  memory_bytes: Optional(count('Memory of its process')),
  restart_count: Optional(count('How often the process manager has started it again')),
  cpu_percent: Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Of one processor' })),
  pm_id: Optional(count('Its number at the process manager')),
  process_manager_status: Optional(Text(100, { description: 'What the process manager calls its state' })),
  last_error: Optional(Prose(4000, { description: 'Why the installation or the process manager failed' })),
  install_log: Optional(Prose(200_000, { description: 'What the last installation printed' })),
})
export type PartnerGatewayStatus = Static<typeof PartnerGatewayStatus>

export const PartnerGatewayQuery = Type.Object({
  include_log: Optional(
    Type.String({ maxLength: 20, description: 'Any text adds `install_log`', expects: '1 or nothing' }),
  ),
})

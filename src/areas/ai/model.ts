import Type, { type Static } from 'typebox'
import { Email, Masked, OneOf, Optional, Port, Prose, Secret, Text, Time } from '../../core/schemas.ts'

const Nullable = (maxLength: number, description: string) =>
  Type.Union([Prose(maxLength), Type.Null()], { description })
const NullableTime = (description: string) => Type.Union([Time, Type.Null()], { description })

const providerNames = ['anthropic', 'openai', 'google', 'deepseek', 'groq', 'custom'] as const
export type Provider = (typeof providerNames)[number]

const Key = (of: string) =>
  Optional(
    Secret({ maxLength: 4096, description: `Key of ${of}; empty removes it`, expects: 'a key on one line' }),
  )
const ShownKey = (of: string) => Optional(Masked({ maxLength: 4096, description: `Key of ${of}` }))
const BaseUrl = (description: string) =>
  Type.String({ maxLength: 2000, description, expects: 'an address such as https://models.example.com/v1' })

export const Credentials = Type.Object({
  anthropic: ShownKey('Anthropic'),
  openai: ShownKey('OpenAI'),
  google: ShownKey('Google'),
  deepseek: ShownKey('DeepSeek'),
  groq: ShownKey('Groq'),
  custom: ShownKey('the custom provider'),
  custom_base_url: Optional(BaseUrl('Address of the custom provider')),
})
export type Credentials = Static<typeof Credentials>

const CredentialsDraft = Type.Object({
  anthropic: Key('Anthropic'),
  openai: Key('OpenAI'),
  google: Key('Google'),
  deepseek: Key('DeepSeek'),
  groq: Key('Groq'),
  custom: Key('the custom provider'),
  custom_base_url: Optional(BaseUrl('Address of the custom provider; empty removes it')),
})

/** Any object: OpenClaw checks it. */
const aboutConfig = {
  description: 'Configuration of OpenClaw; a masked secret keeps the stored one',
  expects: 'a JSON object',
}
const AnyConfig = Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), aboutConfig)

export const AssistantConfig = Type.Object({ config: AnyConfig, credentials: Credentials })
export type AssistantConfig = Static<typeof AssistantConfig>

export const ConfigDraft = Type.Object({
  // people write secrets into it: the activity shows none of it
  config: Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), { ...aboutConfig, 'x-secret': true }),
  ),
  credentials: Optional(CredentialsDraft),
})
export type ConfigDraft = Static<typeof ConfigDraft>

const VersionNumber = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Number of the version',
  expects: 'the number of a version of the list',
})
export const ConfigVersions = Type.Object({
  versions: Type.Array(
    Type.Object({ version: VersionNumber, size_bytes: Type.Integer({ minimum: 0 }), created_at: Time }),
    { maxItems: 100, description: 'Former configurations, the newest first' },
  ),
})
export type ConfigVersions = Static<typeof ConfigVersions>
export const ConfigRestore = Type.Object({ version: VersionNumber })

const Scopes = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: 100,
  default: [],
  description: 'Permissions that its key of the panel is limited to; empty: all that its owner may do',
  expects: 'a list of permission slugs',
})
const hive = {
  owner: Optional(
    Type.String({ ...Email, description: 'User in whose name the assistant acts; default: the caller' }),
  ),
  scopes: Scopes,
  read_only: Type.Boolean({
    default: true,
    description: 'The assistant reads the panel, and changes nothing',
  }),
}

export const SetupDraft = Type.Object({
  provider: OneOf(providerNames, { description: 'Provider of the model' }),
  model: Type.String({
    maxLength: 200,
    pattern: '^[A-Za-z0-9][A-Za-z0-9._:/@-]*$',
    description: 'Model, as the provider names it',
    expects: 'the name of a model of the provider',
  }),
  api_key: Secret({
    minLength: 1,
    maxLength: 4096,
    description: 'Key of the provider',
    expects: 'a key on one line',
  }),
  base_url: Optional(BaseUrl('Address of the custom provider')),
  ...hive,
  version: Optional(
    Text(40, { description: 'Version of OpenClaw; default: the one that the panel was tested with' }),
  ),
})
export type SetupDraft = Static<typeof SetupDraft>

export const HiveDraft = Type.Object(hive)
export type HiveDraft = Static<typeof HiveDraft>

export const UpdateDraft = Type.Object({
  version: Optional(Text(40, { description: 'Version of OpenClaw; default: the newest' })),
})

export const Done = Type.Object({ message: Prose(2000) })

const Pairing = Type.Object({
  request: Text(300, { description: 'Name of the request, by which it is approved' }),
  account: Text(300, { description: 'Account of the channel' }),
  sender: Text(300, { description: 'Who asks, as far as the channel tells' }),
  created_at: NullableTime('When it was made'),
})
export const Pairings = Type.Object({
  pairings: Type.Array(Pairing, { maxItems: 200, description: 'Requests that wait' }),
  reason: Nullable(2000, 'Why they could not be read'),
})
export type Pairings = Static<typeof Pairings>
export const PairingApproval = Type.Object({
  request: Type.String({
    maxLength: 300,
    pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]*$',
    description: 'Name of the request',
    expects: 'the name of a request of the list',
  }),
  account: Type.String({
    maxLength: 100,
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
    default: 'default',
    description: 'Account of the channel',
    expects: 'the account of a request of the list',
  }),
})
export type PairingApproval = Static<typeof PairingApproval>

export const AssistantStatus = Type.Object({
  set_up: Type.Boolean({ description: 'Whether the assistant is set up' }),
  version: Nullable(40, 'Version of OpenClaw'),
  running: Type.Boolean({ description: 'Whether its service runs' }),
  ready: Type.Boolean({ description: 'Whether it answers' }),
  started_at: NullableTime('When its service was started'),
  memory_bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  model: Nullable(300, 'Provider and model'),
  hive: Type.Boolean({ description: 'Whether it reaches the panel: it is told where, and its key is valid' }),
  pairings: Type.Array(Pairing, {
    maxItems: 200,
    description: 'Browsers that wait to be admitted to the console',
  }),
  reason: Nullable(2000, 'Why it cannot be used'),
})
export type AssistantStatus = Static<typeof AssistantStatus>

export const UpdateStatus = Type.Object({
  version: Nullable(40, 'Version in use'),
  running: Type.Boolean({ description: 'Whether an update or the setup is queued or runs' }),
  job: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'The job of the last update' }),
  state: Nullable(40, 'State of that job'),
  message: Nullable(2000, 'What it last told'),
})
export type UpdateStatus = Static<typeof UpdateStatus>

const SessionKey = Type.String({
  maxLength: 200,
  pattern: '^(?!.*\\.\\.)[A-Za-z0-9][A-Za-z0-9:_@.+-]*$',
  default: 'agent:main:main',
  description: 'Conversation',
  expects: 'the key of a conversation such as agent:main:main',
})
export const ChatDraft = Type.Object({
  message: Type.String({
    minLength: 1,
    maxLength: 100_000,
    pattern: '\\S',
    description: 'Message to the assistant',
    expects: 'text of 1 to 100000 characters',
  }),
  sessionKey: SessionKey,
})
export type ChatDraft = Static<typeof ChatDraft>
export const ChatReply = Type.Object({ reply: Type.String({ description: '(no reply) if it is empty' }) })
export const ChatEvent = Type.Union([
  Type.Object({ type: Type.Literal('start') }),
  Type.Object({
    type: Type.Literal('chunk'),
    content: Type.String({ description: 'Next part of the answer' }),
  }),
  Type.Object({
    type: Type.Literal('tool'),
    name: Text(200, { description: 'Tool that the assistant uses' }),
    phase: OneOf(['start', 'end']),
    is_error: Type.Boolean(),
  }),
  Type.Object({ type: Type.Literal('done'), content: Type.String({ description: 'The whole answer' }) }),
])
export type ChatEvent = Static<typeof ChatEvent>
export const ChatPollQuery = Type.Object({ sessionKey: SessionKey })
export const ChatPoll = Type.Object({
  status: OneOf(['ok', 'not_configured', 'error']),
  lastReply: Type.String({ description: 'The last answer; empty if there is none' }),
  timestamp: NullableTime('When it was given'),
  error: Optional(Prose(2000, { description: 'Why it could not be read' })),
})
export type ChatPoll = Static<typeof ChatPoll>

export const ChatSessions = Type.Object({
  sessions: Type.Array(
    Type.Object({
      session: Text(500, { description: 'Key of the conversation' }),
      title: Text(500),
      updated_at: NullableTime('When it was last used'),
    }),
    { maxItems: 500, description: 'The last used first' },
  ),
})
export type ChatSessions = Static<typeof ChatSessions>
export const SessionReset = Type.Object({ sessionKey: SessionKey })

export const Output = Type.Object({ output: Prose(2000) })

export const Lan = Type.Object({
  port: Type.Integer({ ...Port, default: 7444, description: 'Port on which the console is served over TLS' }),
})

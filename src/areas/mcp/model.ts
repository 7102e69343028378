import Type, { type Static } from 'typebox'
import type { ChangePlan } from '../../changes/plan.ts'
import { Id, OneOf, Optional, Prose, Revealed, Secret, Text, Time } from '../../core/schemas.ts'

const Slug = Type.String({ maxLength: 100, expects: 'a permission slug' })

const Scopes = Type.Array(Slug, {
  maxItems: 100,
  description: 'Permission slugs that the key is limited to; empty: all that its owner may do',
  expects: 'a list of permission slugs',
})

export const StoredScopes = Scopes

const perHour = (what: string, minimum: number, maximum: number) =>
  Optional(
    Type.Integer({
      minimum,
      maximum,
      description: `${what} in an hour; absent: no limit`,
      expects: `a whole number from ${minimum} to ${maximum}`,
    }),
  )

const Budget = Type.Object(
  {
    calls: perHour('Calls of tools', 1, 1_000_000),
    changes: perHour('Calls that change something', 0, 1_000_000),
    bytes: perHour('Bytes of answers', 1024, 1_000_000_000_000),
  },
  { description: 'What the key may be used for in an hour' },
)

export type Budget = Static<typeof Budget>

const Used = Type.Object(
  { calls: Type.Integer(), changes: Type.Integer(), bytes: Type.Integer() },
  { description: 'What was used of the budget in the present hour; absent where there is no budget' },
)

/** Whether a key is accepted, or the first reason why it is not. */
export const keyStates = ['active', 'disabled', 'expired', 'owner_suspended'] as const

const RightsNow = Type.Object(
  {
    state: OneOf(keyStates, { description: 'Whether the key is accepted; otherwise it may do nothing' }),
    is_superuser: Type.Boolean({ description: 'It may also do what is for superusers alone' }),
    permissions: Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 100,
      description: 'Permissions that the owner has at the moment and the scopes allow',
    }),
  },
  { description: 'What the key may do now, with the rights that its owner has at the moment' },
)
export type RightsNow = Static<typeof RightsNow>

export const McpKey = Type.Object({
  id: Id,
  user_id: Id,
  username: Text(254, {
    description: 'Linux account of the owner, or the e-mail address where there is none',
  }),
  name: Text(100),
  key_prefix: Type.String({ maxLength: 12, description: 'First 12 characters of the key' }),
  scopes: Scopes,
  rights_now: RightsNow,
  read_only: Type.Boolean({ description: 'The key reads, and changes nothing' }),
  approve: Type.Boolean({ description: 'A change waits until a person has approved its plan' }),
  budget: Budget,
  used: Optional(Used),
  enabled: Type.Boolean({ description: 'A disabled key is refused' }),
  expires_at: Optional(Type.String({ ...Time, description: 'When the key ends; absent if it does not' })),
  created_at: Time,
  last_used: Optional(Type.String({ ...Time, description: 'Absent until it is used' })),
})
export type McpKey = Static<typeof McpKey>

export const McpKeyDraft = Type.Object({
  user_id: Type.Integer({ ...Id, description: 'Owner, whose permissions are the limit of the key' }),
  name: Text(100, { default: 'mcp-key', description: 'Purpose of the key' }),
  scopes: Type.Array(Slug, { ...Scopes, default: [] }),
  read_only: Type.Boolean({ default: false, description: 'Allow GET requests only' }),
  approve: Type.Boolean({
    default: false,
    description: 'Let each change wait until a person has approved its plan',
  }),
  budget: Optional(Budget),
  expires_in_days: Type.Integer({
    minimum: -36_500,
    maximum: 36_500,
    default: 0,
    description: 'Days until the key ends; 0 or less: it does not',
    expects: 'a whole number of days, at most 36500',
  }),
})
export type McpKeyDraft = Static<typeof McpKeyDraft>

export const NewMcpKey = Type.Object({
  key: McpKey,
  token: Revealed({ description: 'The key: mcp_ and 64 hexadecimal digits, shown only here' }),
})

export const McpKeyPath = Type.Object({ id: Id })

export const Scope = Type.Object({
  value: Text(100, { description: 'Permission slug' }),
  title: Text(200),
})

/** The states of an approval that are stored. */
export const storedStates = ['pending', 'approved', 'done', 'failed', 'stale', 'rejected'] as const

export const approvalStates = [...storedStates, 'expired'] as const

const ApprovalState = OneOf(approvalStates, {
  description:
    'approved: it is being carried out; stale: what it is about was changed meanwhile; expired: nobody decided in time',
})
export type ApprovalState = Static<typeof ApprovalState>

export const ApprovalQuery = Type.Object({ state: Optional(ApprovalState) })
export const ApprovalPath = Type.Object({ id: Id })

export const Approval = Type.Object({
  id: Id,
  key_id: Id,
  key_name: Text(100, { description: 'Purpose of the key' }),
  method: Text(10),
  path: Text(8192, { description: 'Without its query' }),
  summary: Text(500, { description: 'What the change does' }),
  state: ApprovalState,
  created_at: Time,
  expires_at: Type.String({ ...Time, description: 'It is decided before that, or not at all' }),
  decided_at: Optional(Time),
  decided_by: Optional(Text(254, { description: 'E-mail address of who decided' })),
  status: Optional(
    Type.Integer({ description: 'HTTP status of the answer; absent until it was carried out' }),
  ),
})
export type Approval = Static<typeof Approval>

/** A plan as `?plan=1` returns it. */
export type ShownPlan = ChangePlan & { readonly effect: 'changes' | 'destroys'; readonly is_job?: true }
export const StoredPlan = Type.Unsafe<ShownPlan>(
  Type.Unknown({ description: 'What the change does, as ?plan=1 describes it' }),
)

export const ApprovalDetails = Type.Object({
  ...Approval.properties,
  request: Type.Unknown({ description: 'Query and body, without secrets' }),
  plan: StoredPlan,
  answer: Optional(Prose(300_000, { description: 'As the agent receives it' })),
})
export type ApprovalDetails = Static<typeof ApprovalDetails>

export const PanelCertificate = Type.Object({
  subject: Text(1000),
  issuer: Text(1000),
  names: Type.Array(Text(300), {
    maxItems: 1000,
    description: 'Host names and addresses that it is valid for',
  }),
  serial: Text(100),
  fingerprint_sha256: Text(100, { description: 'SHA-256 of the certificate' }),
  public_key_sha256: Text(100, {
    description: 'SHA-256 of the public key, in base64, which peers remember',
  }),
  valid_from: Time,
  valid_until: Time,
  self_signed: Type.Boolean(),
})
export type PanelCertificate = Static<typeof PanelCertificate>

export const Regeneration = Type.Object({
  new_key: Type.Boolean({
    default: false,
    description: 'Replace the key pair too: peers that remember the public key refuse the panel from then on',
  }),
})

/** One JSON-RPC 2.0 request. What it contains is checked by the answer, which has codes of its own for it. */
export const RpcRequest = Type.Object({
  jsonrpc: Optional(Type.Union([Type.String({ maxLength: 10 }), Type.Unknown()])),
  id: Optional(Type.Unknown({ description: 'Absent or null: a notification, which is answered by 202' })),
  method: Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Unknown()])),
  params: Optional(Type.Union([Type.Object({}), Type.Unknown()])),
})

export const RpcReply = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Unknown(),
  result: Optional(Type.Unknown()),
  error: Optional(
    Type.Object({ code: Type.Integer(), message: Type.String(), data: Optional(Type.Unknown()) }),
  ),
})

export const RpcQuery = Type.Object({
  token: Optional(Secret({ maxLength: 200, description: 'The key, if no Authorization header is sent' })),
})

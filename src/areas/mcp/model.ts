import Type, { type Static } from 'typebox'
import { Id, Optional, Revealed, Secret, Text, Time } from '../../core/schemas.ts'

const Scopes = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: 100,
  description: 'Permission slugs that the key is limited to; empty: all that its owner may do',
  expects: 'a list of permission slugs',
})

export const StoredScopes = Scopes

export const McpKey = Type.Object({
  id: Id,
  user_id: Id,
  username: Text(254, {
    description: 'Linux account of the owner, or the e-mail address where there is none',
  }),
  name: Text(100),
  key_prefix: Type.String({ maxLength: 12, description: 'First 12 characters of the key' }),
  scopes: Scopes,
  read_only: Type.Boolean({ description: 'The key reads, and changes nothing' }),
  enabled: Type.Boolean({ description: 'A disabled key is refused' }),
  expires_at: Optional(Type.String({ ...Time, description: 'When the key ends; absent if it does not' })),
  created_at: Time,
  last_used: Optional(Type.String({ ...Time, description: 'Absent until it is used' })),
})
export type McpKey = Static<typeof McpKey>

export const McpKeyDraft = Type.Object({
  user_id: Type.Integer({ ...Id, description: 'Owner, whose permissions are the limit of the key' }),
  name: Text(100, { default: 'mcp-key', description: 'Purpose of the key' }),
  scopes: Type.Array(Type.String({ maxLength: 100 }), { ...Scopes, default: [] }),
  read_only: Type.Boolean({ default: false, description: 'Allow GET requests only' }),
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
  error: Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
})

export const RpcQuery = Type.Object({
  token: Optional(Secret({ maxLength: 200, description: 'The key, if no Authorization header is sent' })),
})

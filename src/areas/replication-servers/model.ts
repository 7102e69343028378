import Type, { type Static } from 'typebox'
import { Id, Masked, OneOf, Optional, Port, Prose, Revision, Secret, Text, Time } from '../../core/schemas.ts'

export const serverStates = ['active', 'disabled', 'error'] as const
export const actionStates = ['pending', 'success', 'failed'] as const

const Moment = Type.Union([Time, Type.Null()])
const PublicKey = (options: { readonly default?: string } = {}) =>
  Type.String({
    ...options,
    minLength: 0, // a form may leave it empty
    maxLength: 44,
    pattern: '^([A-Za-z0-9+/]{43}=)?$',
    description:
      'SHA-256 of its public key in base64; empty to keep the one that it shows at the next contact',
    expects: 'the SHA-256 of the public key in base64, 44 characters, or nothing',
  })
const name = { description: 'Name of the server', expects: 'a name' }
const host = {
  description: 'Host name or IP address of the other panel',
  expects: 'a host name or an IP address',
}
const key = { maxLength: 200, description: 'API key of a superuser of the other panel' }

export const ServerDraft = Type.Object({
  name: Text(100, { minLength: 1, ...name }),
  host: Text(253, { minLength: 1, ...host }),
  port: Type.Integer({ ...Port, default: 2087, description: 'HTTPS port of the other panel' }),
  api_key: Secret({ minLength: 1, ...key }),
  public_key: Optional(PublicKey({ default: '' })),
})
export type ServerDraft = Static<typeof ServerDraft>

/** Empty fields, and a port of 0, stay as they are. */
export const ServerEdit = Type.Object({
  name: Optional(Text(100, name)),
  host: Optional(Text(253, host)),
  port: Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description: 'HTTPS port of the other panel',
      expects: 'a port from 1 to 65535, or 0 to keep it',
    }),
  ),
  api_key: Optional(Secret({ minLength: 0, ...key })),
  public_key: Optional(PublicKey()),
})
export type ServerEdit = Static<typeof ServerEdit>

export const ReplicationServer = Type.Object({
  id: Id,
  name: Text(100),
  host: Text(253),
  port: Type.Integer(),
  api_key: Masked({ description: 'API key of the other panel' }),
  public_key: Text(44, {
    description: 'SHA-256 of the public key that it must have; empty before the first contact',
  }),
  enabled: Type.Boolean({ description: 'Whether it is sent the changes of its categories' }),
  status: OneOf(serverStates, { description: 'What the last test or request found, or the last switch' }),
  message: Prose(2000, { description: 'Why it is in error; empty if it is not' }),
  pending: Type.Integer({ minimum: 0, description: 'Requests that it has not answered yet' }),
  last_check: Moment,
  created_at: Time,
  updated_at: Time,
  revision: Revision,
})
export type ReplicationServer = Static<typeof ReplicationServer>

export const ServerPath = Type.Object({ id: Id })
export const CategoryPath = Type.Object({
  id: Id,
  category: Text(30, { description: 'Category of changes, such as `dns`' }),
})
export const ActionPath = Type.Object({
  id: Id,
  action_id: Type.String({
    maxLength: 16,
    pattern: '^[0-9]+$',
    description: 'Id of the request in the log',
    expects: 'the id of a request in the log',
  }),
})

export const ServerTest = Type.Object({
  trust: Type.Boolean({
    default: false,
    description: 'True to keep the public key that the server shows now, instead of the former one',
  }),
})
export const ServerTested = Type.Object({
  status: OneOf(['active', 'error'], { description: 'Whether it was reached with its key' }),
  message: Prose(2000, { description: 'Why it was not reached; empty if it was' }),
  public_key: Text(44, { description: 'SHA-256 of the public key that it must have' }),
})

export const ServerSwitch = Type.Object({
  enabled: Type.Boolean({ default: false, description: 'True to enable it' }),
})
export const ServerSwitched = Type.Object({
  success: Type.Literal(true),
  status: OneOf(['active', 'disabled'], { description: 'The state of the server' }),
})

export const CategorySwitch = Type.Object({
  category: Text(30, { description: 'Category of changes' }),
  enabled: Type.Boolean({ description: 'Whether the server repeats its changes' }),
})
export const CategorySwitches = Type.Array(CategorySwitch, { maxItems: 100 })
export const CategoriesEdit = Type.Object({
  categories: Type.Record(Type.String({ maxLength: 100 }), Type.Boolean(), {
    maxProperties: 200,
    default: {},
    description: 'Whether the server repeats the changes of each category; unknown categories are ignored',
    expects: 'an object of categories with true or false',
  }),
})
export const CategoriesUpdated = Type.Object({
  success: Type.Literal(true),
  updated: Type.Integer({ minimum: 0, description: 'Categories that were set' }),
})
export const CategoryUpdated = Type.Object({
  success: Type.Literal(true),
  category: Text(30),
  enabled: Type.Boolean(),
})

export const LogQuery = Type.Object({
  limit: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 50,
    description: 'Requests to return, from 1 to 500; another number counts as 50',
    expects: 'a whole number',
  }),
  category: Optional(Text(30, { description: 'Only those of this category' })),
  status: Optional(Text(10, { description: `Only those in this state: ${actionStates.join(', ')}` })),
})

export const Action = Type.Object({
  id: Id,
  server_id: Id,
  category: Text(30),
  method: Text(10),
  endpoint: Text(4096, { description: 'Path of the request on this server' }),
  request_body: Prose(20_000, { description: 'Input of the request as JSON, without secrets' }),
  status: OneOf(actionStates, { description: 'Whether the other server has repeated it' }),
  response_code: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Status of its answer; null for none',
  }),
  error_message: Prose(2000, { description: 'Why it has not repeated it; empty if it has' }),
  retry_count: Type.Integer({ minimum: 0, description: 'How often it was retried' }),
  created_at: Time,
  completed_at: Moment,
})
export type Action = Static<typeof Action>
export const ActionLog = Type.Array(Action, { maxItems: 500 })

export const ClearQuery = Type.Object({
  all: Optional(
    Text(10, {
      description: '`true` removes every request, also those that wait; otherwise those that are over',
    }),
  ),
})
export const LogCleared = Type.Object({
  success: Type.Literal(true),
  deleted: Type.Integer({ minimum: 0, description: 'Requests that were removed' }),
})

export const Retried = Type.Object({
  success: Type.Boolean(),
  response_code: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Status of the answer; null for none',
  }),
  error: Optional(Prose(2000, { description: 'Why the other server has not repeated it' })),
})
export type Retried = Static<typeof Retried>

export const ReferenceQuery = Type.Object({
  noun: Text(30, { minLength: 1, description: 'Kind of row, such as `website`', expects: 'a kind of row' }),
  name: Text(300, { minLength: 1, description: 'Its name, such as its domain', expects: 'a name' }),
})
export const Reference = Type.Object({ id: Id })

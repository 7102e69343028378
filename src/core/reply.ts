import Type, { type Static, type TSchema } from 'typebox'
import type { Readable } from 'node:stream'
import type { Confirmation, Enqueued } from './change.ts'
import type { WorkKind } from './job.ts'

/**
 * The reply of an endpoint, in one of the contract's shapes. `schema` describes the value that `run` returns.
 */
export interface Reply<Kind extends ReplyKind = ReplyKind, Value = unknown> {
  readonly kind: Kind
  readonly status: number
  readonly schema: TSchema | undefined
  readonly list?: ListOptions
  readonly mediaTypes?: readonly string[]
  /** The long work that the endpoint shows. */
  readonly work?: WorkKind
  /** Turns the end of awaited work into a response. */
  readonly shape?: 'data' | 'flat'
  /** Makes the events of followed work; undefined for one that is not sent. */
  readonly toEvent?: (event: WorkEvent) => object | undefined
  /** Carries the type of the value; never present at run time. */
  readonly value?: Value
}

export type ReplyKind =
  | 'data'
  | 'flat'
  | 'created'
  | 'accepted'
  | 'awaited'
  | 'followed'
  | 'list'
  | 'events'
  | 'bytes'
  | 'socket'
  | 'rpc'

/** 200 with the value in `data`. */
export const data = <Schema extends TSchema>(schema: Schema): Reply<'data', Static<Schema>> => ({
  kind: 'data',
  status: 200,
  schema,
})

/** 200 with the value's fields at top level. */
export const flat = <Schema extends TSchema>(schema: Schema): Reply<'flat', Static<Schema>> => ({
  kind: 'flat',
  status: 200,
  schema,
})

/** 201 with the new resource in `data`. */
export const created = <Schema extends TSchema>(schema: Schema): Reply<'created', Static<Schema>> => ({
  kind: 'created',
  status: 201,
  schema,
})

const AcceptedJob = Type.Object({
  job_id: Type.Integer({ description: 'The stored job that does the work' }),
})

/** 202: the change enqueued a plain job. */
export const enqueued: Reply<'accepted', { job_id: number }> = {
  kind: 'accepted',
  status: 202,
  schema: AcceptedJob,
}

/** A reply that shows long work: `run` returns the input of the work. */
export interface WorkReply<Kind extends ReplyKind = ReplyKind, Value = unknown, Input = any> extends Reply<
  Kind,
  Value
> {
  readonly work: WorkKind<any, Input, any>
}

/** 202: a stored job carries out the work. */
export const accepted = <Input>(
  work: WorkKind<any, Input, any>,
): WorkReply<'accepted', { job_id: number }, Input> => ({
  kind: 'accepted',
  status: 202,
  schema: AcceptedJob,
  work,
})

/** Answers when the work has ended; with `Prefer: respond-async` as `accepted`. */
export const awaited = <Input, Value>(
  work: WorkKind<any, Input, Value>,
  { status, shape }: { readonly status: 200 | 201; readonly shape: 'data' | 'flat' },
): WorkReply<'awaited', Value, Input> => ({ kind: 'awaited', status, shape, schema: work.reply, work })

/** The events of long work while it runs, and at its end. */
export type WorkEvent<Value = any> =
  | {
      readonly type: 'state' | 'progress' | 'output'
      readonly percent: number | null
      readonly message: string
    }
  | { readonly type: 'done'; readonly reply: Value }
  | {
      readonly type: 'failed'
      readonly outcome: 'failed' | 'restored' | 'cancelled'
      readonly message: string
    }

/**
 * 200 `text/event-stream` of the work, in the shapes of the contract. Leaving the stream does not cancel the
 * work.
 */
export const followed = <Input, Value, Schema extends TSchema>(
  work: WorkKind<any, Input, Value>,
  schema: Schema,
  toEvent: (event: WorkEvent<Value>) => Static<Schema> | undefined,
): WorkReply<'followed', Static<Schema>, Input> => ({
  kind: 'followed',
  status: 200,
  schema,
  work,
  toEvent: toEvent as (event: WorkEvent) => object | undefined,
})

/** 200: the change is undone unless it is confirmed in time. */
export const confirmable: Reply<'data', Confirmation> = {
  kind: 'data',
  status: 200,
  schema: Type.Object({
    change_id: Type.Integer({ description: 'The change to confirm' }),
    confirm_before: Type.String({ format: 'date-time', description: 'Its deadline' }),
  }),
}

/** The reply of a provisional change. */
export function untilConfirmed({ confirmation }: Pick<Enqueued, 'confirmation'>): Confirmation {
  if (confirmation === undefined) throw new Error('the change is not provisional')
  return confirmation
}

const Success = Type.Object({ success: Type.Literal(true) })

/** 200 `{ data: { success: true } }`, for endpoints without a body in the contract (decision 1.5). */
export const succeeded: Reply<'data', { success: true }> = { kind: 'data', status: 200, schema: Success }
export const success = { success: true } as const

export interface ListOptions {
  /** Columns that `sort` may name. The first is the default; descending if it has a leading `-`. */
  readonly sort: readonly [string, ...string[]]
  /** Columns that `search` matches; empty if the list cannot be searched. */
  readonly search: readonly string[]
  /** Further query parameters that narrow the list. */
  readonly filter?: Readonly<Record<string, TSchema>>
}

/** One page of a list, as `run` returns it. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
}

/** The query of a paged list. */
export interface ListQuery {
  readonly page: number
  readonly per_page: number
  readonly sort: string
  readonly search?: string
}

/** 200 with `{ items, total, page, per_page }` in `data` (decision 1.13). */
export const list = <Schema extends TSchema>(
  item: Schema,
  options: ListOptions,
): Reply<'list', Page<Static<Schema>>> => ({
  kind: 'list',
  status: 200,
  schema: Type.Object({
    items: Type.Array(item, { maxItems: 500 }),
    total: Type.Integer({ minimum: 0 }),
    page: Type.Integer({ minimum: 1 }),
    per_page: Type.Integer({ minimum: 1, maximum: 500 }),
  }),
  list: options,
})

/** The query parameters of a list in addition to its endpoint's own. */
export function listParameters(options: ListOptions): Record<string, TSchema> {
  const directions = options.sort
    .map((column) => column.replace(/^-/, ''))
    .flatMap((column) => [column, `-${column}`])
  return {
    page: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1,
      description: 'Page, from 1',
      expects: 'a page number from 1',
    }),
    per_page: Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 50,
      description: 'Rows a page',
      expects: 'a number from 1 to 500',
    }),
    sort: Type.Enum(directions, {
      default: options.sort[0],
      description: 'Column to sort by; a leading - sorts downwards',
      expects: `one of ${directions.join(', ')}`,
    }),
    ...(options.search.length > 0 && {
      search: Type.Optional(
        Type.String({ maxLength: 200, description: `Text to find in ${options.search.join(', ')}` }),
      ),
    }),
    ...options.filter,
  }
}

/** One event of a stream; with `id`, a reader that lost its connection continues after it. */
export interface StreamEvent<Value> {
  readonly id?: number
  readonly value: Value
}

/** 200 `text/event-stream`; each event is `data: <JSON>`. */
export const events = <Schema extends TSchema>(
  schema: Schema,
): Reply<'events', AsyncIterable<StreamEvent<Static<Schema>>>> => ({
  kind: 'events',
  status: 200,
  schema,
})

/** A file, as `run` returns it. */
export interface Bytes {
  readonly stream: Readable
  readonly mediaType: string
  readonly fileName?: string
  /** The length of the content; absent if it is not known before the end. */
  readonly sizeBytes?: number
  readonly etag?: string
  /** Set if a range was requested: the status is 206. */
  readonly range?: { readonly start: number; readonly end: number; readonly totalBytes: number }
  readonly acceptsRanges?: boolean
}

/** 200 with raw bytes, never a type that a browser would run. */
export const bytes = (...mediaTypes: readonly string[]): Reply<'bytes', Bytes> => ({
  kind: 'bytes',
  status: 200,
  schema: undefined,
  mediaTypes,
})

/** An answer of JSON-RPC; whether a failure has a status of HTTP too depends on what speaks by it. */
export interface Rpc<Message> {
  readonly status: 200 | 400 | 404
  readonly message: Message
}

/**
 * A JSON-RPC answer as it is; 202 without a body for `undefined`. Its path answers every other
 * method with a plain-text 405.
 */
export const rpc = <Schema extends TSchema>(
  schema: Schema,
): Reply<'rpc', Rpc<Static<Schema>> | undefined> => ({
  kind: 'rpc',
  status: 200,
  schema,
})

/** A message channel; `run` receives the socket after the upgrade. */
export interface Socket {
  /** Resolves when the connection has taken the message, so that a fast sender waits for a slow reader. */
  send(message: string | Uint8Array): Promise<void>
  close(code: number, reason: string): void
  /** Text as strings, binary as bytes; ends with the connection. */
  readonly messages: AsyncIterable<string | Uint8Array>
}

/** 101: the connection becomes a WebSocket, which the function that `run` returns receives. */
export const socket: Reply<'socket', (socket: Socket) => Promise<void>> = {
  kind: 'socket',
  status: 101,
  schema: undefined,
}

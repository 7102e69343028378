import type { Static, TSchema } from 'typebox'
import type { StaticOf, UploadBody, ValueOf } from '../core/endpoint.ts'
import type { Reply } from '../core/reply.ts'

/** The type of `data` in the reply of a declared endpoint; for a list, one page with its number. */
export type AnswerOf<E> = E extends { readonly reply: infer R }
  ? R extends Reply<'list', unknown>
    ? ValueOf<R> & { readonly page: number; readonly per_page: number }
    : ValueOf<R>
  : never

/** The path parameters of a declared endpoint. */
export type SentParams<E> = E extends { readonly params?: infer P } ? Sent<NonNullable<P>> : never

/** The query of a declared endpoint; for an upload of raw bytes it contains the body fields. */
export type SentQuery<E> = Partial<QueryFields<E> & UploadFields<E> & ListFields<E>>

/**
 * The body of a declared endpoint. All fields are optional because the types do not know which have a
 * default.
 */
export type SentBody<E> = E extends { readonly body?: infer B }
  ? NonNullable<B> extends UploadBody
    ? never
    : Sent<NonNullable<B>> extends infer Value
      ? Value extends readonly unknown[]
        ? Value
        : Partial<Value>
      : never
  : never

type NoFields = Record<never, never>
type QueryFields<E> = E extends { readonly query?: infer Q }
  ? [NonNullable<Q>] extends [never]
    ? NoFields
    : Sent<NonNullable<Q>>
  : NoFields
type UploadFields<E> = E extends { readonly body?: infer B }
  ? [NonNullable<B>] extends [never]
    ? NoFields
    : NonNullable<B> extends UploadBody<infer Form>
      ? StaticOf<Form>
      : NoFields
  : NoFields
/** The columns and filters of a list are values in its reply, which the types do not know. */
type ListFields<E> = E extends { readonly reply: Reply<'list', unknown> }
  ? Readonly<Record<string, string | number | boolean | undefined>>
  : NoFields
type Sent<Schema> = [Schema] extends [never]
  ? never
  : Schema extends TSchema
    ? ReadOnly<Static<Schema>>
    : never
type ReadOnly<Value> = Value extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: ReadOnly<Value[Name]> }
    : Value

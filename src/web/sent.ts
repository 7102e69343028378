import type { Static, TSchema } from 'typebox'
import type { StaticOf, UploadBody, ValueOf } from '../core/endpoint.ts'
import type { Reply } from '../core/reply.ts'

/** What a call of a declared endpoint gives in `data`; of a list, one page with its number. */
export type AnswerOf<E> = E extends { readonly reply: infer R }
  ? R extends Reply<'list', unknown>
    ? ValueOf<R> & { readonly page: number; readonly per_page: number }
    : ValueOf<R>
  : never

/** The values in the path that a call of a declared endpoint sends. */
export type SentParams<E> = E extends { readonly params?: infer P } ? Sent<NonNullable<P>> : never

/** The query that a call of a declared endpoint sends; the fields of an upload that is sent as bytes alone are in it. */
export type SentQuery<E> = Partial<QueryFields<E> & UploadFields<E> & ListFields<E>>

/** The body that a call of a declared endpoint sends. Which of its fields have a default, the types do not know: all are optional. */
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
/** The columns and filters of a list are values of its reply, which the types do not know. */
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

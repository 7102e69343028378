import type { TSchema } from 'typebox'
import {
  type Declared,
  type Effect,
  type Endpoint,
  type EndpointDraft,
  failures,
  type Target,
  type TargetRequest,
  type UploadBody,
} from './endpoint.ts'
import type { Reply } from './reply.ts'

/** The fields that several declarations share; the effect is not among them, it is read at each endpoint. */
export interface Preamble<P, Needs, T> extends Pick<
  EndpointDraft<never, Effect, Reply, P, undefined, undefined, T>,
  'base' | 'guard' | 'params' | 'category' | 'throws' | 'errors' | 'timeoutMs' | 'bodyBytes'
> {
  readonly target?: (request: Needs) => T | Promise<T>
}

/** A preamble's target that cannot read this request must be replaced by one that can. */
type Meets<Needs, Context, P, Q, B, T> =
  TargetRequest<Context, P, Q, B> extends Needs ? unknown : { readonly target: Target<Context, P, Q, B, T> }

/**
 * Declares an endpoint that shares a preamble: a field of the draft replaces the preamble's, and the failures
 * of both are joined.
 */
export type DeclareWith<Context, Shared extends TSchema | undefined, Needs, Loaded> = <
  const E extends Effect,
  R extends Reply,
  P extends TSchema | undefined = Shared,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | UploadBody | undefined = undefined,
  T = Loaded,
>(
  draft: EndpointDraft<Context, E, R, P, Q, B, T> & Meets<Needs, Context, P, Q, B, T>,
) => Endpoint<Context> & Declared<R, P, Q, B>

/** Declares an endpoint of an area whose runs receive `Context`. */
export interface Declare<Context> {
  <
    const E extends Effect,
    R extends Reply,
    P extends TSchema | undefined = undefined,
    Q extends TSchema | undefined = undefined,
    B extends TSchema | UploadBody | undefined = undefined,
    T = undefined,
  >(
    draft: EndpointDraft<Context, E, R, P, Q, B, T>,
  ): Endpoint<Context> & Declared<R, P, Q, B>
  /** The declaring function of endpoints that share these fields. */
  with<P extends TSchema | undefined = undefined, Needs = unknown, T = undefined>(
    preamble: Preamble<P, Needs, T>,
  ): DeclareWith<Context, P, Needs, T>
}

type AnyDraft = Pick<EndpointDraft<any, any, any, any, any, any, any>, 'throws'>

const join = (preamble: AnyDraft, draft: AnyDraft) => ({
  ...preamble,
  ...draft,
  ...((preamble.throws ?? draft.throws) && { throws: failures(draft.throws ?? {}, preamble.throws ?? {}) }),
})

export const declare = Object.assign((draft: unknown) => draft, {
  with:
    (preamble: AnyDraft) =>
    (draft: AnyDraft): unknown =>
      join(preamble, draft),
}) as Declare<any>

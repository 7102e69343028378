import type { Call } from './confined/calls.ts'
import type { Account } from './confinement.ts'
import { problemOf } from './failures.ts'
import { PreviewReached, isPreviewable, isRead } from './preview.ts'
import type { Running } from './keeper.ts'
import { shown, type OwnerPath } from './paths.ts'
import { ChannelBroken, type CallPlan, type Outcome, type PendingCall } from './pending.ts'
import { HelperFailed, OwnerUnavailable } from './problems.ts'
import { replies, type Checker } from './replies.ts'

/** Runs something with the account's confined program, started when there is none. */
export type Use = <T>(use: (running: Running) => Promise<T>) => Promise<T>

/** The ways to the confined program of one account. */
export interface Uses {
  readonly use: Use
  /** For what takes much memory, or programs of its own: fewer of these are under way at once. */
  readonly useLarge: Use
  /** For what another call waits for, which has taken its turn already. */
  readonly useNested: Use
}

/** A single archive may be given a dictionary of a gigabyte by whoever made it. */
const large: ReadonlySet<Call['op']> = new Set(['compress', 'extract', 'look'])

/**
 * Room for an answer that is one record, and for one that is a page of rows. A record may hold the longest path that a system call takes, of
 * which each byte may be a control character: six bytes in JSON.
 */
export const replyLimits = { small: 48 * 1024, list: 16 * 1024 * 1024 }

/** Twenty of the longest paths. */
const previewedBytes = 20 * replyLimits.small

/** One question to the confined program of an account. */
export interface Question<T> {
  readonly request: Call
  /** What the answer must look like. */
  readonly reply: Checker<T>
  /** The path that a failure names where the program names none. */
  readonly about: OwnerPath
  /** Further paths of the call, one of which a failure may be about. */
  readonly also?: readonly OwnerPath[]
  readonly limit?: number
  readonly signal?: AbortSignal | undefined
  readonly onNote?: (note: unknown) => void
  /** What it tells once, before it goes on. */
  readonly told?: Pick<CallPlan, 'head' | 'headLimitBytes' | 'onHead'>
  /** Works on the call while it is under way, as sending its body does. */
  readonly during?: (pending: PendingCall) => Promise<void>
}

/** Asks the confined program of one account, checks what it answers, and turns its failures into problems. */
export class Asking {
  readonly account: Account
  readonly stallMs: number
  readonly use: Use
  readonly useLarge: Use
  readonly #isPreviewing: boolean

  /** Where it previews, no call that would change something is carried out: what that would do is thrown as `PreviewReached`. */
  constructor(account: Account, stallMs: number, { use, useLarge }: Uses, isPreviewing = false) {
    this.account = account
    this.stallMs = stallMs
    this.use = use
    this.useLarge = useLarge
    this.#isPreviewing = isPreviewing
  }

  async ask<T>(question: Question<T>): Promise<T> {
    if (!this.#isPreviewing || isRead(question.request)) return this.#ask(question)
    if (!isPreviewable(question.request)) throw new Error(`${question.request.op} cannot be previewed`)
    const { request: of, about, also = [], signal } = question
    throw new PreviewReached(
      await this.#ask({
        request: { op: 'preview', of },
        reply: replies.previewed,
        about,
        also,
        signal,
        limit: previewedBytes,
      }),
    )
  }

  async #ask<T>(question: Question<T>): Promise<T> {
    const {
      request,
      reply,
      about,
      also = [],
      limit = replyLimits.small,
      signal,
      onNote,
      told,
      during,
    } = question
    signal?.throwIfAborted()
    const plan: CallPlan = {
      request,
      reply,
      replyLimitBytes: limit,
      stallMs: this.stallMs,
      ...(onNote === undefined ? {} : { onNote }),
      ...told,
    }
    try {
      return await (large.has(request.op) ? this.useLarge : this.use)(async (running) => {
        const pending = running.channel.call(plan)
        const cancel = () => pending.cancel()
        signal?.addEventListener('abort', cancel, { once: true })
        try {
          await during?.(pending)
          const outcome = await pending.outcome
          if ('fail' in outcome) throw this.failure(outcome, [about, ...also], signal)
          return outcome.ok as T // checked by the plan's `reply`
        } finally {
          signal?.removeEventListener('abort', cancel)
        }
      })
    } catch (error) {
      throw this.explained(error, about)
    }
  }

  /** What the program's refusal means; a call that was cancelled fails with the reason of its signal. */
  failure(outcome: Outcome, sent: readonly OwnerPath[], signal?: AbortSignal): unknown {
    if (!('fail' in outcome)) return HelperFailed(`${shown(sent[0] ?? '')}: it ended early`)
    return outcome.fail.code === 'CANCELLED' && signal?.aborted === true
      ? signal.reason
      : problemOf(outcome.fail, ...sent)
  }

  /** What it means that the program itself broke off or hangs. */
  explained(error: unknown, sent: OwnerPath): unknown {
    if (!(error instanceof ChannelBroken)) return error
    if (error.reason === 'stuck')
      return OwnerUnavailable(`${shown(sent)}: the file system did not answer in time`, { cause: error })
    return HelperFailed(`${shown(sent)}: the program that works for ${this.account.name} ended`, {
      cause: error,
    })
  }
}

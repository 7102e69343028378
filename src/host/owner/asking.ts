import { onAbort } from '../../core/on-abort.ts'
import type { Call } from './confined/call.ts'
import type { Account } from './confinement.ts'
import { problemOf } from './failures.ts'
import { PreviewReached, isPreviewable, isRead } from './preview.ts'
import type { Running } from './keeper.ts'
import { shown, type OwnerPath } from './paths.ts'
import { ChannelBroken, type CallPlan, type Outcome, type PendingCall } from './pending.ts'
import { HelperFailed, OwnerUnavailable } from './problems.ts'
import { replies, type Checker } from './replies.ts'

/** Runs a function with the account's helper, which is started if necessary. */
export type Use = <T>(use: (running: Running) => Promise<T>) => Promise<T>

/** The ways to reach the helper of one account. */
export interface Uses {
  readonly use: Use
  /** For calls that need much memory or start programs; fewer of these run at once. */
  readonly useLarge: Use
  /** For calls that another call waits for, which already has a slot. */
  readonly useNested: Use
}

/** The author of an archive may choose a dictionary of a gigabyte for it. */
const large: ReadonlySet<Call['op']> = new Set(['compress', 'extract', 'look', 'entries'])

/**
 * Size limits for a reply of one record and for a page of rows. A record may contain the longest path that a system call accepts, each
 * byte of which may be a control character: six bytes in JSON.
 */
export const replyLimits = { small: 48 * 1024, list: 16 * 1024 * 1024 }

/** Twenty of the longest paths. */
const previewedBytes = 20 * replyLimits.small

/** One call to the helper of an account. */
export interface Question<T> {
  readonly request: Call
  /** Checks the shape of the reply. */
  readonly reply: Checker<T>
  /** The path for failures in which the helper names none. */
  readonly about: OwnerPath
  /** Further paths of the call that a failure may refer to. */
  readonly also?: readonly OwnerPath[]
  readonly limit?: number
  readonly signal?: AbortSignal | undefined
  readonly onNote?: (note: unknown) => void
  /** The head that the helper sends once before it continues. */
  readonly headPlan?: Pick<CallPlan, 'head' | 'headLimitBytes' | 'onHead'>
  /** Runs while the call is in progress, for example to send its body. */
  readonly during?: (pending: PendingCall) => Promise<void>
}

/** Calls the helper of one account, checks the reply, and turns failures into problems. */
export class Asking {
  readonly account: Account
  readonly stallMs: number
  readonly use: Use
  readonly useLarge: Use
  readonly #isPreviewing: boolean

  /** In a preview, calls that would change something are not carried out: their effect is thrown as `PreviewReached`. */
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
      headPlan,
      during,
    } = question
    signal?.throwIfAborted()
    const plan: CallPlan = {
      request,
      reply,
      replyLimitBytes: limit,
      stallMs: this.stallMs,
      ...(onNote === undefined ? {} : { onNote }),
      ...headPlan,
    }
    try {
      return await (large.has(request.op) ? this.useLarge : this.use)(async (running) => {
        signal?.throwIfAborted() // it may have waited for the helper: nothing is begun then
        const pending = running.channel.call(plan)
        const forget = onAbort(signal, () => pending.cancel())
        try {
          await during?.(pending)
          const outcome = await pending.outcome
          if ('fail' in outcome) throw this.failure(outcome, [about, ...also], signal)
          return outcome.ok as T // checked by the plan's `reply`
        } finally {
          forget()
        }
      })
    } catch (error) {
      throw this.explained(error, about)
    }
  }

  /** Maps the helper's refusal to a problem; a cancelled call fails with the reason of its signal. */
  failure(outcome: Outcome, sent: readonly OwnerPath[], signal?: AbortSignal): unknown {
    if (!('fail' in outcome)) return HelperFailed(`${shown(sent[0] ?? '')}: it ended early`)
    return outcome.fail.code === 'CANCELLED' && signal?.aborted === true
      ? signal.reason
      : problemOf(outcome.fail, ...sent)
  }

  /** Maps a helper that crashed or hangs to a problem. */
  explained(error: unknown, sent: OwnerPath): unknown {
    if (!(error instanceof ChannelBroken)) return error
    if (error.reason === 'stuck')
      return OwnerUnavailable(`${shown(sent)}: the file system did not answer in time`, { cause: error })
    return HelperFailed(`${shown(sent)}: the helper process of ${this.account.name} ended unexpectedly`, {
      cause: error,
    })
  }
}

import { Readable } from 'node:stream'
import type { Asking } from './asking.ts'
import type { ReadCall, StatRow } from './confined/calls.ts'
import type { Call } from './confined/call.ts'
import { FrameRefused } from './confined/frames.ts'
import type { OwnerPath } from './paths.ts'
import { ChannelBroken } from './pending.ts'
import { HelperFailed } from './problems.ts'
import { replies, type Checker } from './replies.ts'

interface FileHead {
  readonly stat: StatRow
  readonly start: number
  readonly end: number
}

/** A stream of the helper, and the head that preceded its first byte. */
export interface Opened<Head> {
  readonly head: Head
  readonly stream: Readable
}

interface StreamPlan<Head> {
  readonly request: Call
  readonly about: OwnerPath
  readonly head: Checker<Head>
  /** The stream's size, if the head states it; throws if the head does not match the request. */
  readonly sizeOf?: (head: Head) => number
}

const bufferBytes = 1024 * 1024

/** Opens a range of a file. The stream must be read to its end or destroyed. */
export function openRead(asking: Asking, request: ReadCall, about: OwnerPath): Promise<Opened<FileHead>> {
  const sizeOf = (head: FileHead) => {
    if (!isHonest(request, head)) throw new FrameRefused('a range that was not asked for')
    return head.end - head.start
  }
  return openStream(asking, { request, about, head: replies.head, sizeOf })
}

/** Opens a stream of bytes of known or unknown size. It must be read to its end or destroyed; the helper is kept until then. */
export function openStream<Head>(asking: Asking, plan: StreamPlan<Head>): Promise<Opened<Head>> {
  return new Promise((resolve, reject) =>
    transfer(asking, plan, resolve).catch((error) => reject(asking.explained(error, plan.about))),
  )
}

// oxlint-disable-next-line max-lines-per-function -- one sequence over shared local state
async function transfer<Head>(
  asking: Asking,
  plan: StreamPlan<Head>,
  onOpen: (opened: Opened<Head>) => void,
): Promise<void> {
  await asking.use(async ({ channel }) => {
    let [left, ungranted, isOpen] = [Infinity, 0, false]
    const grant = () => {
      if (ungranted < bufferBytes / 4) return
      pending.grant(ungranted)
      ungranted = 0
    }
    const stream = new Readable({
      highWaterMark: bufferBytes,
      read: grant,
      destroy: (error, done) => {
        pending.cancel()
        ungranted += bufferBytes
        done(error)
      },
    })
    const pending = channel.call({
      request: plan.request,
      stallMs: asking.stallMs,
      reply: replies.nothing,
      replyLimitBytes: 16 * 1024,
      head: plan.head,
      onHead: (head) => {
        if (!plan.head.Check(head)) throw new FrameRefused('an invalid head')
        left = plan.sizeOf?.(head) ?? Infinity
        isOpen = true
        onOpen({ head, stream })
      },
      onBytes: (part) => {
        left -= part.length
        if (left < 0) throw new FrameRefused('more bytes than declared')
        ungranted += part.length
        if (stream.destroyed) return grant()
        stream.push(part)
      },
    })
    try {
      const outcome = await pending.outcome
      const isWhole = left === 0 || plan.sizeOf === undefined
      if ('ok' in outcome && isOpen && isWhole) return void stream.push(null)
      throw asking.failure(outcome, [plan.about])
    } catch (error) {
      if (!isOpen) throw error
      breakOff(stream, error)
    }
  })
}

function breakOff(stream: Readable, error: unknown): void {
  if (stream.destroyed) return
  stream.destroy(
    error instanceof ChannelBroken
      ? HelperFailed('the file ended early', { cause: error })
      : (error as Error),
  )
}

function isHonest(request: ReadCall, head: FileHead): boolean {
  const start = Math.min(request.start, head.stat.size)
  const end = Math.max(start, Math.min(request.end ?? head.stat.size, head.stat.size))
  return head.start === start && head.end === end
}

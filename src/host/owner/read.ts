import { Readable } from 'node:stream'
import type { ReadCall, StatRow } from './confined/calls.ts'
import { ChannelBroken, type CallPlan, type Outcome, type PendingCall } from './pending.ts'
import { HelperFailed } from './problems.ts'
import { FrameRefused } from './confined/frames.ts'
import { replies } from './replies.ts'

interface Opened {
  readonly stat: StatRow
  readonly start: number
  readonly end: number
  readonly stream: Readable
}

const bufferBytes = 1024 * 1024

/** Reads one file through a channel; resolves when the transfer is over, so that the program is kept as long. */
export async function openRead(
  call: (plan: CallPlan) => PendingCall,
  request: ReadCall,
  stallMs: number,
  onOpen: (opened: Opened) => void,
  failure: (outcome: Outcome) => unknown,
): Promise<void> {
  let [left, ungranted, isOpen] = [0, 0, false]
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
  const pending = call({
    request,
    stallMs,
    reply: replies.nothing,
    replyLimitBytes: 16 * 1024,
    onHead: (head) => {
      if (!replies.head.Check(head) || !isHonest(request, head)) throw new FrameRefused('a range that was not asked for')
      left = head.end - head.start
      isOpen = true
      onOpen({ ...head, stream })
    },
    onBytes: (part) => {
      left -= part.length
      if (left < 0) throw new FrameRefused('more bytes than were promised')
      ungranted += part.length
      if (stream.destroyed) return grant()
      stream.push(part)
    },
  })
  try {
    const outcome = await pending.outcome
    if ('ok' in outcome && isOpen && left === 0) return void stream.push(null)
    throw 'fail' in outcome ? failure(outcome) : HelperFailed('the file ended early')
  } catch (error) {
    if (!isOpen) throw error
    breakOff(stream, error)
  }
}

function breakOff(stream: Readable, error: unknown): void {
  if (stream.destroyed) return
  stream.destroy(error instanceof ChannelBroken ? HelperFailed('the file ended early', { cause: error }) : (error as Error))
}

function isHonest(request: ReadCall, head: { readonly stat: { readonly size: number }; readonly start: number; readonly end: number }): boolean {
  const start = Math.min(request.start, head.stat.size)
  const end = Math.max(start, Math.min(request.end ?? head.stat.size, head.stat.size))
  return head.start === start && head.end === end
}

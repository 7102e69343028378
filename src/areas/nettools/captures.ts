import { randomUUID } from 'node:crypto'
import type { Tools } from '../../tools/open-tools.ts'
import { captureSeconds, type Packet, readPacket } from '../../tools/tcpdump/index.ts'
import type { CaptureStatus } from './model.ts'
import { CaptureRunning, CaptureUnknown } from './problems.ts'

interface Session {
  readonly id: string
  readonly maxCount: number
  readonly packets: Packet[]
  readonly stopping: AbortController
  state: CaptureStatus['status']
  error: string
  ended: Promise<void>
}

/** One capture at a time; the last one can be read until the next starts. */
export interface Captures {
  /** Starts a capture and returns its id; CaptureRunning while another one runs. */
  start(asked: { readonly interface: string; readonly filter: string; readonly count: number }): string
  assertNoneRuns(): void
  status(id: string): CaptureStatus
  packets(id: string): readonly Packet[]
  /** Ends the capture; one that has ended stays as it is. */
  stop(id: string): Promise<void>
  /** Ends the running capture. */
  close(): Promise<void>
}

/** Opens the captures; packets are kept in memory, at most 1000 of 2 KiB. */
export function openCaptures(tcpdump: Pick<Tools['tcpdump'], 'capture'>): Captures {
  let last: Session | undefined
  const find = (id: string): Session => {
    if (last?.id !== id) throw CaptureUnknown()
    return last
  }
  const assertNoneRuns = () => {
    if (last?.state === 'running') throw CaptureRunning()
  }
  const end = async (session: Session) => {
    session.stopping.abort(new Error('the capture was stopped'))
    await session.ended
  }
  return {
    assertNoneRuns,
    start: (asked) => {
      assertNoneRuns()
      const stopping = new AbortController()
      const session: Session = {
        ...{ id: randomUUID(), maxCount: asked.count, packets: [], stopping },
        ...{ state: 'running', error: '', ended: Promise.resolve() },
      }
      session.ended = follow(session, tcpdump.capture({ ...asked, signal: stopping.signal }))
      last = session
      return session.id
    },
    status: (id) => {
      const { state, error, packets, maxCount } = find(id)
      return { id, status: state, error, packet_count: packets.length, max_count: maxCount }
    },
    packets: (id) => find(id).packets,
    stop: (id) => end(find(id)),
    close: async () => void (last && (await end(last))),
  }
}

/** timeout(1) ends with this status where it had to stop the program. */
const timedOut = 124

async function follow(session: Session, { lines, result }: ReturnType<Tools['tcpdump']['capture']>) {
  for await (const line of lines) {
    const packet = readPacket(line)
    if (packet) session.packets.push(packet)
  }
  const { code, stderr, isCut } = await result
  const isExpected = code === 0 || code === timedOut || isCut || session.stopping.signal.aborted
  session.state = isExpected ? 'done' : 'error'
  const message = stderr.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim()
  session.error = isExpected ? '' : (message || `tcpdump ended within ${captureSeconds} s`).slice(0, 1000)
}

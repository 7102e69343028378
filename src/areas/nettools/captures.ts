import { randomUUID } from 'node:crypto'
import type { Bytes } from '../../core/reply.ts'
import type { Host } from '../../host/index.ts'
import type { Tools } from '../../tools/open-tools.ts'
import {
  CaptureRefused,
  captureSeconds,
  type Packet,
  rawSocketOwner,
  readPacket,
} from '../../tools/tcpdump/index.ts'
import type { CaptureStatus } from './model.ts'
import { CaptureEmpty, CaptureRunning, CaptureUnknown } from './problems.ts'

interface Session {
  readonly id: string
  readonly maxCount: number
  readonly packets: Packet[]
  readonly stopping: AbortController
  state: CaptureStatus['status']
  error: string
  ended: Promise<void>
}

interface Asked {
  readonly interface: string
  readonly filter: string
  readonly count: number
}

/** One capture at a time; the last one can be read until the next starts. */
export interface Captures {
  /** Starts a capture and returns its id; CaptureRunning while another one runs. */
  start(asked: Asked): Promise<string>
  assertNoneRuns(): void
  status(id: string): CaptureStatus
  packets(id: string): readonly Packet[]
  /** Opens the packets of a capture that has ended as a file in the format of pcap. */
  file(id: string): Promise<Bytes>
  /** Ends the capture; one that has ended stays as it is. */
  stop(id: string): Promise<void>
  /** Ends the running capture. */
  close(): Promise<void>
}

/** In memory, and gone with the host: packets may hold what is secret. */
const folder = '/run/hostreeve-captures'
/** The profile of tcpdump in AppArmor lets it write files with this ending. */
const pathOf = (id: string): string => `${folder}/${id}.pcap`

interface Doors {
  readonly tcpdump: Pick<Tools['tcpdump'], 'capture'>
  readonly files: Host['files']
}

/** Opens the captures; of each, at most 1000 lines of 2 KiB and packets of 256 bytes are kept. */
export function openCaptures({ tcpdump, files }: Doors): Captures {
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
  const begin = async (session: Session, asked: Asked) => {
    await prepareFile(files, session.id)
    const { signal } = session.stopping
    return tcpdump.capture({ ...asked, file: files.real(pathOf(session.id)), signal })
  }
  return {
    assertNoneRuns,
    start: async (asked) => {
      assertNoneRuns()
      const session = newSession(asked)
      last = session
      const begun = begin(session, asked)
      session.ended = begun
        .then((followed) => follow(session, followed))
        .catch((error: unknown) => fail(session, error))
      await begun.catch((error: unknown) => {
        throw CaptureRefused(`the file of the capture cannot be made: ${messageOf(error)}`)
      })
      return session.id
    },
    status: (id) => {
      const { state, error, packets, maxCount } = find(id)
      return { id, status: state, error, packet_count: packets.length, max_count: maxCount }
    },
    packets: (id) => find(id).packets,
    file: async (id) => openPackets(files, find(id)),
    stop: (id) => end(find(id)),
    close: async () => {
      if (last === undefined) return
      await end(last)
      await files.removeTree(folder)
    },
  }
}

async function openPackets(files: Host['files'], { id, state }: Session): Promise<Bytes> {
  if (state === 'running') throw CaptureRunning()
  const opened = await files.open(pathOf(id))
  if (opened !== undefined && opened.sizeBytes > 0)
    return { ...opened, mediaType: 'application/vnd.tcpdump.pcap', fileName: 'capture.pcap' }
  opened?.stream.destroy()
  throw CaptureEmpty()
}

const newSession = ({ count }: Asked): Session => ({
  ...{ id: randomUUID(), maxCount: count, packets: [], stopping: new AbortController() },
  ...{ state: 'running', error: '', ended: Promise.resolve() },
})

/** Makes the file that tcpdump fills, whose account can make none; that of the capture before is removed. */
async function prepareFile(files: Host['files'], id: string): Promise<void> {
  await files.removeTree(folder)
  await files.makeDirectory(folder, { mode: 0o711 })
  await files.write(pathOf(id), '', { rights: { mode: 0o600, ...rawSocketOwner() } })
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

function fail(session: Session, error: unknown): void {
  session.state = 'error'
  session.error = messageOf(error)
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 1000)

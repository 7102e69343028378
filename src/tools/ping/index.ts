import type { Followed } from '../../host/follow.ts'
import type { Host } from '../../host/index.ts'
import { detectOneOf } from '../../host/owner/index.ts'
import { withRawSockets } from '../network-account.ts'
import { tool } from '../tool.ts'
import { type PingResult, readPing } from './read-ping.ts'

export type { PingResult } from './read-ping.ts'

/** How a host is pinged. */
export interface PingAsked {
  /** An address: the name was resolved by the caller. */
  readonly address: string
  readonly count: number
  /** Payload of a packet. */
  readonly sizeBytes: number
  readonly intervalSeconds: number
  /** How long the last reply is waited for. */
  readonly waitSeconds: number
  readonly signal: AbortSignal
}

/** ping of iputils, which sends ICMP echo requests. */
export const ping = tool({
  name: 'ping',
  title: 'ping',
  packages: ['iputils-ping'],
  isOptional: true,
  detect: async () => detectOneOf(['/usr/bin/ping', '/bin/ping'], 'ping and ping monitors need it'),
  verbs: ({ host }) => ({
    ping: (asked: PingAsked) => sendPings(host, asked),
    /** The same, line by line while it runs. */
    follow: (asked: PingAsked): Followed =>
      host.follow(argvOf(asked), { timeoutMs: timeoutOf(asked), signal: asked.signal, ...lineLimits }),
  }),
})

const lineLimits = { maxLines: 1000, maxLineBytes: 2048 }

async function sendPings({ run }: Host, asked: PingAsked): Promise<PingResult> {
  const { signal } = asked
  return readPing(await run(argvOf(asked), { timeoutMs: timeoutOf(asked), maxBytes: 256 * 1024, signal }))
}

const timeoutOf = ({ count, intervalSeconds, waitSeconds }: PingAsked): number =>
  (count * Math.max(intervalSeconds, 1) + waitSeconds + 5) * 1000

function argvOf({ address, count, sizeBytes, intervalSeconds, waitSeconds }: PingAsked) {
  const sending = ['-c', String(count), '-s', String(sizeBytes), '-i', String(intervalSeconds)]
  return withRawSockets(['ping', '-n', ...sending, '-W', String(waitSeconds), '--', address])
}

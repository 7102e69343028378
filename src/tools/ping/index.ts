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
  verbs: ({ host }) => ({ ping: (asked: PingAsked) => sendPings(host, asked) }),
})

async function sendPings({ run }: Host, asked: PingAsked): Promise<PingResult> {
  const { address, count, sizeBytes, intervalSeconds, waitSeconds, signal } = asked
  const argv = withRawSockets([
    'ping',
    '-n',
    '-c',
    String(count),
    '-s',
    String(sizeBytes),
    '-i',
    String(intervalSeconds),
    '-W',
    String(waitSeconds),
    '--',
    address,
  ])
  const timeoutMs = (count * Math.max(intervalSeconds, 1) + waitSeconds + 5) * 1000
  return readPing(await run(argv, { timeoutMs, maxBytes: 256 * 1024, signal }))
}

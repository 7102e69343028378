import { Unavailable } from '../../core/problem.ts'
import type { Followed } from '../../host/follow.ts'
import { detectOneOf } from '../../host/owner/index.ts'
import { asNobody } from '../network-account.ts'
import { tool } from '../tool.ts'

/** A router on the way to a host, or the host itself; null for a probe without an answer. */
export interface Hop {
  readonly hop: number
  /** Empty if nothing answered. */
  readonly host: string
  readonly times_ms: readonly (number | null)[]
}

const seconds = 110

/** traceroute, which needs no privilege on Linux. */
export const traceroute = tool({
  name: 'traceroute',
  title: 'traceroute',
  packages: ['traceroute'],
  isOptional: true,
  detect: async () =>
    detectOneOf(['/usr/bin/traceroute', '/usr/sbin/traceroute'], 'tracing a route needs it'),
  verbs: ({ host }) => ({
    /** Traces the route to an address. */
    trace: async (address: string, maxHops: number, signal: AbortSignal) => {
      const argv = argvOf(address, maxHops)
      const limits = { timeoutMs: seconds * 1000, maxBytes: 256 * 1024, signal }
      const { code, stdout, stderr } = await host.run(argv, { ...limits, ...asNobody() })
      if (code === 127) throw Unavailable('traceroute is not installed: install it under Software')
      return { hops: readHops(stdout), output: [stdout, stderr].filter((each) => each !== '').join('\n') }
    },
    /** The same, line by line while it runs. */
    follow: (address: string, maxHops: number, signal: AbortSignal): Followed =>
      host.follow(argvOf(address, maxHops), { ...lineLimits, signal, ...asNobody() }),
  }),
})

const lineLimits = { timeoutMs: seconds * 1000, maxLines: 1000, maxLineBytes: 2048 }

const argvOf = (address: string, maxHops: number) =>
  ['traceroute', '-n', '-q', '3', '-w', '2', '-m', String(maxHops), address] as const

/** Reads what `traceroute -n` printed. */
export function readHops(output: string): readonly Hop[] {
  return output.split('\n').flatMap((line): Hop[] => {
    const [, hop, rest = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? []
    if (hop === undefined) return []
    const host = /(?:^|\s)([0-9a-fA-F]*[.:][0-9a-fA-F.:]+)(?:\s|$)/.exec(rest)?.[1] ?? ''
    const times = [...rest.matchAll(/([\d.]+) ms|\*/g)].map(([, ms]) =>
      ms === undefined ? null : Number(ms),
    )
    return [{ hop: Number(hop), host: /^[\d.]+ ms/.test(rest) ? '' : host, times_ms: times }]
  })
}

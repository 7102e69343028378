import type { Followed } from '../../host/follow.ts'
import { detectOneOf } from '../../host/owner/index.ts'
import { asNobody } from '../network-account.ts'
import { tool } from '../tool.ts'

/** What is requested. */
export interface HttpingAsked {
  readonly url: string
  /** The IPv4 address that is connected to, whatever the URL names; undefined where only an IPv6 address is known. */
  readonly address: string | undefined
  readonly count: number
  readonly signal: AbortSignal
}

/** What httping printed, and the summary in it as it printed it; empty where there is none. */
export interface HttpingResult {
  readonly lines: readonly string[]
  readonly minMs: string
  readonly avgMs: string
  readonly maxMs: string
  readonly lossPercent: string
}

const seconds = 110

/** httping, which measures how long a web server takes to answer. */
export const httping = tool({
  name: 'httping',
  title: 'httping',
  packages: ['httping'],
  isOptional: true,
  detect: async () => detectOneOf(['/usr/bin/httping'], 'pings over HTTP need it'),
  verbs: ({ host }) => ({
    httping: async (asked: HttpingAsked): Promise<HttpingResult> => {
      const limits = { timeoutMs: seconds * 1000, maxBytes: 256 * 1024, signal: asked.signal }
      const { stdout, stderr } = await host.run(argvOf(asked), { ...limits, ...asNobody() })
      return readHttping(`${stdout}\n${stderr}`)
    },
    /** The same, line by line while it runs. */
    follow: (asked: HttpingAsked): Followed =>
      host.follow(argvOf(asked), { ...lineLimits, signal: asked.signal, ...asNobody() }),
  }),
})

const lineLimits = { timeoutMs: seconds * 1000, maxLines: 1000, maxLineBytes: 2048 }

/** httping 2.5 ignores ports over IPv6 (`-6`), so it is used over IPv4 alone. */
function argvOf({ url, address, count }: HttpingAsked): readonly [string, ...string[]] {
  const pinned = address === undefined ? [] : ['--divert-connect', address]
  return ['httping', '-c', String(count), '-t', '5', ...pinned, '-g', url]
}

/** Reads what httping printed; a loss that it does not state is 100 percent. */
export function readHttping(output: string): HttpingResult {
  const [, minMs = '', avgMs = '', maxMs = ''] =
    /min\/avg\/max\S* = ([\d.]+)\/([\d.]+)\/([\d.]+)/.exec(output) ?? []
  const [, loss = '100'] = /([\d.]+)% failed/.exec(output) ?? []
  const lines = output.split('\n').map((line) => line.trimEnd())
  return {
    lines: lines.filter((line) => line !== ''),
    minMs,
    avgMs,
    maxMs,
    lossPercent: String(Number(loss)),
  }
}

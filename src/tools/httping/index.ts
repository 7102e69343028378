import type { Followed } from '../../host/follow.ts'
import { detectOneOf } from '../../host/owner/index.ts'
import { asNobody } from '../network-account.ts'
import { tool } from '../tool.ts'

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
    httping: async (url: string, count: number, signal: AbortSignal): Promise<HttpingResult> => {
      const limits = { timeoutMs: seconds * 1000, maxBytes: 256 * 1024, signal }
      const { stdout, stderr } = await host.run(argvOf(url, count), { ...limits, ...asNobody() })
      return readHttping(`${stdout}\n${stderr}`)
    },
    /** The same, line by line while it runs. */
    follow: (url: string, count: number, signal: AbortSignal): Followed =>
      host.follow(argvOf(url, count), { ...lineLimits, signal, ...asNobody() }),
  }),
})

const lineLimits = { timeoutMs: seconds * 1000, maxLines: 1000, maxLineBytes: 2048 }

const argvOf = (url: string, count: number) => ['httping', '-c', String(count), '-t', '5', '-g', url] as const

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

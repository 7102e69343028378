import type { Caller } from '../../core/caller.ts'
import { Problem, Unavailable } from '../../core/problem.ts'
import { portOf } from '../../host/fetch/index.ts'
import type { HttpingAsked } from '../../tools/httping/index.ts'
import type { PingAsked } from '../../tools/ping/index.ts'
import type { Nettools } from './context.ts'
import type { CaptureDraft, HttpingDraft, HttpingReport, PingDraft, PingReport } from './model.ts'
import type { TraceDraft, TraceReport } from './model.ts'
import { InputInvalid } from './problems.ts'
import { follow, plainLine } from './streams.ts'

interface Asking {
  readonly caller: Caller
  readonly signal: AbortSignal
}

/** What a request may take; the programs have their own limits below it. */
const longestSeconds = 100

const missing = {
  ping: 'ping is not installed: install iputils-ping under Software',
  traceroute: 'traceroute is not installed: install it under Software',
  httping: 'httping is not installed: install it under Software',
}

/** A number as the contract asks: the default where it is not above 0, and at most a maximum. */
const within = (value: number, usual: number, most: number): number =>
  value <= 0 ? usual : Math.min(value, most)

/** Sends ICMP echo requests to a host. */
export async function ping(on: Nettools, draft: PingDraft, asking: Asking): Promise<PingReport> {
  const sent = await on.tools.ping.ping(await pingOf(on, draft, asking))
  if (!sent.hasRun && sent.output.includes('not found')) throw Unavailable(missing.ping)
  const { replies, transmitted, received, lossPercent: loss_pct, minMs, avgMs, maxMs, output: raw } = sent
  const stats = { transmitted, received, loss_pct, min_ms: minMs, avg_ms: avgMs, max_ms: maxMs }
  return { replies: [...replies], stats, raw }
}

/** The same, told line by line. */
export const streamPing = async (on: Nettools, draft: PingDraft, asking: Asking) =>
  follow(on.tools.ping.follow(await pingOf(on, draft, asking)), missing.ping)

async function pingOf(on: Nettools, draft: PingDraft, asking: Asking): Promise<PingAsked> {
  const count = within(draft.count, 4, 50)
  const intervalSeconds = draft.interval <= 0 ? 1 : Math.max(draft.interval, 0.2)
  if (count * intervalSeconds > longestSeconds)
    throw InputInvalid(`interval: must be at most ${longestSeconds / count} seconds for ${count} requests`)
  const address = await addressOf(on, draft.host, asking)
  const sizeBytes = within(draft.size, 64, 65_500)
  return { address, count, sizeBytes, intervalSeconds, waitSeconds: 5, signal: asking.signal }
}

/** Traces the route to a host. */
export async function trace(on: Nettools, draft: TraceDraft, asking: Asking): Promise<TraceReport> {
  const address = await addressOf(on, draft.host, asking)
  const { hops, output } = await on.tools.traceroute.trace(address, hopsOf(draft), asking.signal)
  return { hops: hops.map((hop) => ({ ...hop, times_ms: [...hop.times_ms] })), raw: output }
}

/** The same, told line by line. */
export async function streamTrace(on: Nettools, draft: TraceDraft, asking: Asking) {
  const address = await addressOf(on, draft.host, asking)
  return follow(on.tools.traceroute.follow(address, hopsOf(draft), asking.signal), missing.traceroute)
}

const hopsOf = ({ max_hops }: TraceDraft): number => within(max_hops, 30, 64)

/** Requests a URL several times; a tool that fails or is missing is a loss of 100 percent. */
export async function httping(on: Nettools, draft: HttpingDraft, asking: Asking): Promise<HttpingReport> {
  const found = await on.tools.httping.httping(await httpingOf(on, draft, asking))
  const { lines, minMs: min_ms, avgMs: avg_ms, maxMs: max_ms, lossPercent: loss_pct } = found
  return {
    lines: lines.slice(0, 10_000).map(plainLine),
    stats: { min_ms, avg_ms, max_ms, loss_pct },
  }
}

/** The same, told line by line. */
export const streamHttping = async (on: Nettools, draft: HttpingDraft, asking: Asking) =>
  follow(on.tools.httping.follow(await httpingOf(on, draft, asking)), missing.httping)

async function httpingOf(on: Nettools, draft: HttpingDraft, asking: Asking): Promise<HttpingAsked> {
  const url = urlOf(draft)
  const { address, family } = await resolved(on, { host: url.hostname, port: portOf(url) }, asking)
  const count = within(draft.count, 4, 50)
  return { url: url.href, address: family === 4 ? address : undefined, count, signal: asking.signal }
}

function urlOf({ host }: HttpingDraft): URL {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `http://${host}/`)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw InputInvalid('host: must be a host name or a URL such as https://example.com/')
  if (url.hostname.startsWith('['))
    throw InputInvalid('host: must be a host name or an IPv4 address: httping reaches no IPv6 addresses')
  return url
}

/** Lists the network interfaces of the host; empty where they cannot be read. */
export const listInterfaces = ({ files }: Nettools): Promise<string[]> =>
  files.list('/sys/class/net').then(
    (names) => [...names],
    () => [],
  )

/** Starts a capture, which ends after its number of packets or 60 seconds. */
export async function startCapture(on: Nettools, draft: CaptureDraft, { signal }: Pick<Asking, 'signal'>) {
  const { captures, tools } = on
  captures.assertNoneRuns()
  if (!(await listInterfaces(on)).includes(draft.interface))
    throw InputInvalid(`interface: there is no interface ${draft.interface}`)
  const filter = draft.filter.trim()
  await tools.tcpdump.checkFilter({ interface: draft.interface, filter, signal })
  return {
    session_id: await captures.start({
      interface: draft.interface,
      filter,
      count: within(draft.count, 100, 1000),
    }),
  }
}

const addressOf = async (on: Nettools, host: string, asking: Asking): Promise<string> =>
  (await resolved(on, { host, port: 1 }, asking)).address

interface Target {
  readonly host: string
  readonly port: number
}

async function resolved({ addresses }: Nettools, { host, port }: Target, { caller, signal }: Asking) {
  try {
    return await addresses.resolveAllowed(host, port, caller.user, signal)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw InputInvalid(`host: ${error.message.replace(/^url: /, '')}`)
  }
}

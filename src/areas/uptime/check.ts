import { Problem } from '../../core/problem.ts'
import { isAddress, isV4, type PinnedAddress, portOf, readUrl } from '../../host/fetch/index.ts'
import { askPort, askWeb, type WebAnswer } from '../../host/reach/index.ts'
import { defaultTimeout } from './model.ts'
import type { Outcome, Uptime } from './parts.ts'
import { isExpected } from './statuses.ts'
import type { MonitorRow } from './store.ts'

type Found = Omit<Outcome, 'responseMs'>
type Checking = Pick<Uptime, 'addresses' | 'ping'>

const ok: Found = { result: 'ok', status: 0, error: '' }
const unusable = (error: string): Found => ({ result: 'error', status: 0, error })
const failed = (error: string, status = 0): Found => ({ result: 'failed', status, error })
/** Only superusers configure monitors, so that internal addresses are allowed (decision 1.11). */
const asker = { isAdmin: true }
const keywordBytes = 1024 * 1024
const mostRedirects = 5
const expiringMs = 14 * 86_400_000
const dayMs = 86_400_000

const checks: Readonly<
  Record<string, (on: Checking, row: MonitorRow, signal: AbortSignal) => Promise<Found>>
> = {
  http: checkHttp,
  tcp: checkTcp,
  dns: async ({ addresses }, { target }, signal) => {
    await addresses.resolveAllowed(target, 53, asker, signal)
    return ok
  },
  ping: checkPing,
}

/** Checks a monitor once, within its time limit. */
export async function checkOnce(on: Checking, row: MonitorRow, stopping: AbortSignal): Promise<Outcome> {
  const startedAt = performance.now()
  const limit = AbortSignal.timeout(timeoutOf(row) * 1000)
  const check = checks[row.type]
  const found =
    check === undefined
      ? unusable(`type: ${row.type} is not http, tcp, dns or ping`)
      : await check(on, row, AbortSignal.any([limit, stopping])).catch((error: unknown) => {
          stopping.throwIfAborted()
          return limit.aborted ? failed(`no answer within ${timeoutOf(row)} s`) : failed(reasonOf(error))
        })
  const error = found.error.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, 500)
  return { ...found, error, responseMs: Math.round(performance.now() - startedAt) }
}

/** The time limit of a check in seconds; 0 stands for the default. */
const timeoutOf = ({ timeout }: MonitorRow): number => (timeout === 0 ? defaultTimeout : timeout)

async function checkHttp(on: Checking, row: MonitorRow, signal: AbortSignal): Promise<Found> {
  let url = readUrl(row.target)
  for (let count = 0; count <= mostRedirects; count++) {
    const answer = await askWeb({
      url,
      pinned: await pinnedFor(on, row, url, signal),
      method: row.http_method === '' ? 'GET' : row.http_method,
      isUnverified: row.http_skip_ssl === 1,
      maxBytes: row.http_keyword === '' ? 0 : keywordBytes,
      signal,
    })
    const next = redirectOf(answer, url)
    if (next === undefined || (row.http_statuses !== '' && isExpected(answer.status, row.http_statuses)))
      return verdictOn(answer, row)
    url = next
  }
  return failed(`more than ${mostRedirects} redirects`)
}

/** The address of a URL; the overriding one stands for the host of the target alone. */
async function pinnedFor(
  { addresses }: Checking,
  { http_override_ip: address, target }: MonitorRow,
  url: URL,
  signal: AbortSignal,
): Promise<PinnedAddress> {
  if (address !== '' && url.host === readUrl(target).host)
    return { host: url.hostname, port: portOf(url), address, family: isV4(address) ? 4 : 6 }
  return addresses.resolveAllowed(url.hostname, portOf(url), asker, signal)
}

function redirectOf({ status, location }: WebAnswer, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  return readUrl(URL.parse(location, from)?.href ?? location)
}

function verdictOn({ status, text, validUntil }: WebAnswer, row: MonitorRow): Found {
  const { http_keyword: keyword } = row
  if (!isExpected(status, row.http_statuses)) return failed(`the server answered ${status}`, status)
  if (!text.includes(keyword)) return failed(`the answer does not contain "${keyword}"`, status)
  const leftMs = validUntil === undefined ? Infinity : validUntil.getTime() - Date.now()
  if (leftMs > expiringMs) return { ...ok, status }
  const days = Math.max(0, Math.floor(leftMs / dayMs))
  return { ...ok, status, error: `the certificate expires in ${days} days` }
}

async function checkTcp({ addresses }: Checking, row: MonitorRow, signal: AbortSignal): Promise<Found> {
  const { host, port } = hostAndPort(row.target)
  const pinned = await addresses.resolveAllowed(host, port, asker, signal)
  const { isOpen, message } = await orAborted(askPort(pinned, 'tcp', timeoutOf(row) * 1000), signal)
  return isOpen ? ok : failed(message)
}

/** A port is asked without a signal, and a panel that stops does not wait for its answer. */
async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', leave))
}

/** Splits `host:port` or `[address]:port`; the port is NaN where there is none. */
export function hostAndPort(target: string): { readonly host: string; readonly port: number } {
  const [, host = target, port = ''] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(target) ?? []
  return { host, port: port === '' ? NaN : Number(port) }
}

async function checkPing(
  { addresses, ping }: Checking,
  row: MonitorRow,
  signal: AbortSignal,
): Promise<Found> {
  const { address } = await addresses.resolveAllowed(row.target, 1, asker, signal)
  const waitSeconds = timeoutOf(row)
  const sent = await ping({ address, count: 1, sizeBytes: 56, intervalSeconds: 1, waitSeconds, signal })
  if (sent.hasRun) return sent.received > 0 ? ok : failed(`${address} did not answer`)
  signal.throwIfAborted()
  return unusable(sent.output)
}

const messages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too large',
}

function reasonOf(error: unknown): string {
  if (error instanceof Problem) return error.message.replace(/^url: /, '')
  if (!(error instanceof Error)) return 'the check failed'
  const code = 'code' in error ? String(error.code) : ''
  return messages[code] ?? error.message
}

/** The first fault of a target of a known type; undefined if there is none. */
export function targetFault(type: string, target: string): string | undefined {
  if (target === '') return undefined
  if (type === 'http')
    return URL.canParse(target) && /^https?:\/\//i.test(target)
      ? undefined
      : 'a URL such as https://example.com/'
  if (type === 'tcp') {
    const { host, port } = hostAndPort(target)
    return isHost(host) && port >= 1 && port <= 65_535 ? undefined : 'host:port such as example.com:443'
  }
  const isKnown = type === 'dns' || type === 'ping'
  return !isKnown || isHost(target) ? undefined : 'a host name or an address'
}

const isHost = (text: string): boolean => {
  const name = text.replace(/^\[(.*)\]$/, '$1')
  return isAddress(name) || /^[A-Za-z0-9_][A-Za-z0-9._-]{0,252}$/.test(name)
}

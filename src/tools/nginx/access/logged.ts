import { hexBounds, parseNetwork } from '../../../host/networks.ts'

/** A request as an access log tells it, as rules would see it. Texts have one character for each byte. */
export interface LoggedRequest {
  /** As it was logged. */
  readonly address: string
  /** In hexadecimal digits. */
  readonly hex: string
  /** As it was logged, such as `29/Nov/2026:04:08:15 +0000`. */
  readonly time: string
  readonly method: string
  /** Decoded and normalised. */
  readonly path: string
  readonly query: string | undefined
  /** Only where the request line names it. */
  readonly host: string | undefined
  readonly status: number
  readonly referer: string | undefined
  readonly agent: string | undefined
}

const format =
  /^(\S+) - .*? \[(\d\d\/[A-Z][a-z]{2}\/\d{4}:[\d:]{8} [+-]\d{4})\] "([^"]*)" (\d{3}) \d+ "([^"]*)" "([^"]*)"/

/** Reads a line of the panel's log format; undefined for a line of another one, and for a request that nginx refuses before any rule. */
export function readLoggedRequest(line: string): LoggedRequest | undefined {
  const [, address = '', time = '', request = '', status = '', referer = '', agent = ''] =
    format.exec(line) ?? []
  const [method = '', target, protocol] = unescaped(request).split(' ')
  if (target === undefined || protocol === undefined || !/^[A-Z_-]+$/.test(method)) return undefined
  const hex = hexOf(address)
  const seen = readTarget(target)
  if (hex === undefined || seen === undefined) return undefined
  return {
    ...{ address, hex, time, method, status: Number(status), ...seen },
    referer: valueOf(referer),
    agent: valueOf(agent),
  }
}

/** A header that is absent is logged as a dash. */
const valueOf = (logged: string): string | undefined => (logged === '-' ? undefined : unescaped(logged))

/** nginx logs quotes, backslashes and other than printable ASCII characters as `\x22`. */
const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\x([0-9A-F]{2})/g, (_all, digits: string) => characterOf(digits))
    : text

const characterOf = (digits: string): string => String.fromCharCode(Number.parseInt(digits, 16))

interface Target {
  readonly path: string
  readonly query: string | undefined
  readonly host: string | undefined
}

/** Splits and normalises the target of a request as nginx does; undefined if nginx refuses it. */
export function readTarget(target: string): Target | undefined {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/is.exec(target) ?? [undefined, undefined, target]
  const [whole = ''] = rest.split('#', 1)
  const mark = whole.indexOf('?')
  const raw = mark < 0 ? whole : whole.slice(0, mark)
  const query = mark < 0 ? '' : whole.slice(mark + 1)
  const path = normalised(raw === '' && host !== undefined ? '/' : raw)
  if (path === undefined) return undefined
  return {
    path,
    query: query === '' ? undefined : query,
    host: host?.replace(/:\d*$/, '').toLowerCase(),
  }
}

/** Decodes a path once, merges its slashes and resolves its dots; undefined if it leads above the root or has a broken escape. */
function normalised(raw: string): string | undefined {
  if (!raw.startsWith('/') || /%(?![0-9A-Fa-f]{2})|%00/.test(raw)) return undefined
  const decoded = raw.includes('%')
    ? raw.replace(/%([0-9A-Fa-f]{2})/g, (_all, digits: string) => characterOf(digits))
    : raw
  if (!/\/\/|\/\.{1,2}(?:\/|$)/.test(decoded)) return decoded
  const kept: string[] = []
  const segments = decoded.split('/').slice(1)
  for (const segment of segments) {
    if (segment === '..' && kept.pop() === undefined) return undefined
    if (!isPassedOver(segment)) kept.push(segment)
  }
  return `/${kept.map((segment) => `${segment}/`).join('')}`.slice(
    0,
    isPassedOver(segments.at(-1)) ? undefined : -1,
  )
}

const isPassedOver = (segment = ''): boolean => segment === '' || segment === '.' || segment === '..'

const known = new Map<string, string | undefined>()
const mostKnown = 20_000

/** Logs repeat their addresses. */
function hexOf(address: string): string | undefined {
  if (known.has(address)) return known.get(address)
  const network = address.includes('/') ? undefined : parseNetwork(address)
  if (known.size >= mostKnown) known.clear()
  const hex = network && hexBounds(network).first
  known.set(address, hex)
  return hex
}

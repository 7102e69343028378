import type { PartKind } from './section-parts.ts'
import { compression, forwardsAddress, single, type Timeout, timeouts } from './shared-parts.ts'
import { rawOf } from './statement.ts'
import { encodeToken, readTokens } from './tokens.ts'

/** The request by which HAProxy checks the health of a server. */
export interface HttpCheck {
  readonly method: string
  readonly path: string
  /** The Host header; null sends none. */
  readonly host: string | null
  /** Healthy status codes, such as `200` or `200-399,404`. */
  readonly expect: string
}

/** The method of sticky sessions: a cookie with this name, or the visitor's address. */
export type Sticky = { readonly by: 'cookie'; readonly cookie: string } | { readonly by: 'source' }

/** The settings of a backend as written in its section. */
export interface BackendParts {
  readonly mode: string | null
  readonly balance: string | null
  readonly httpCheck: HttpCheck | null
  readonly sticky: Sticky | null
  readonly timeouts: readonly Timeout[]
  readonly forwardsAddress: boolean
  readonly compression: readonly string[] | null
}

const balance: PartKind<string, string | null> = {
  part: 'balance',
  keywords: ['balance'],
  read: (line) => {
    const tokens = readTokens(line)
    return tokens[0]?.text !== 'balance' || tokens.length < 2
      ? undefined
      : tokens
          .slice(1)
          .map(({ text }) => text)
          .join(' ')
  },
  render: (text) => `balance ${text.split(' ').map(encodeToken).join(' ')}`,
  valueOf: (items) => items.at(-1) ?? null,
  itemsOf: (value) => (value === null ? [] : [value]),
}

const whatIsWell = '200-399'

/** `option httpchk`, with the request that it sends and the status that it expects. */
const httpCheck: PartKind<string, HttpCheck | null> = {
  part: 'httpCheck',
  keywords: ['option', 'http-check'],
  read: (line) => {
    const tokens = readTokens(line)
    const isOption = tokens[0]?.text === 'option' && tokens[1]?.text === 'httpchk'
    return isOption || tokens[0]?.text === 'http-check' ? rawOf(tokens) : undefined
  },
  render: (text) => text,
  valueOf: (items) => {
    const option = textsOf(items, 'option')
    if (option === undefined) return null
    const sent = textsOf(items, 'http-check', 'send') ?? []
    const expected = textsOf(items, 'http-check', 'expect') ?? []
    const named = (key: string) => (sent.indexOf(key, 2) === -1 ? undefined : sent[sent.indexOf(key, 2) + 1])
    const [, , first, second] = option
    const host = sent.findIndex((text, at) => text.toLowerCase() === 'host' && sent[at - 1] === 'hdr')
    return {
      method: named('meth') ?? (second === undefined ? 'OPTIONS' : first!),
      path: named('uri') ?? second ?? first ?? '/',
      host: host === -1 ? null : (sent[host + 1] ?? null),
      expect: expected[2] === 'status' ? (expected[3] ?? whatIsWell) : whatIsWell,
    }
  },
  itemsOf: (check) => {
    if (check === null) return []
    const host = check.host === null ? '' : ` ver HTTP/1.1 hdr Host ${encodeToken(check.host)}`
    return [
      'option httpchk',
      `http-check send meth ${encodeToken(check.method)} uri ${encodeToken(check.path)}${host}`,
      `http-check expect status ${encodeToken(check.expect)}`,
    ]
  },
  isBeyondForm: (items) =>
    items.some(
      (item, at) => !isSimple(item) || items.findIndex((each) => keyOf(each) === keyOf(item)) !== at,
    ),
}

const keyOf = (item: string) => item.split(/\s+/, 2).join(' ')

/** True if the form can render the request again: no body, no additional headers, no legacy syntax. */
function isSimple(item: string): boolean {
  if (keyOf(item) === 'option httpchk')
    return /^option\s+httpchk(?:\s+[^\s"'\\]+){0,2}(?:\s+HTTP\/1\.[01])?$/.test(item)
  if (keyOf(item) === 'http-check expect') return /^http-check\s+expect\s+status\s+\S+$/.test(item)
  return /^http-check\s+send(?:\s+(?:meth|uri|ver|hdr\s+[Hh]ost)\s+\S+)+$/.test(item)
}

const sticky: PartKind<string, Sticky | null> = {
  part: 'sticky',
  keywords: ['cookie', 'stick', 'stick-table'],
  read: (line) => {
    const tokens = readTokens(line)
    return tokens[0]?.text === 'cookie' || tokens[0]?.text === 'stick' || tokens[0]?.text === 'stick-table'
      ? rawOf(tokens)
      : undefined
  },
  render: (text) => text,
  valueOf: (items) => {
    const cookie = textsOf(items, 'cookie')?.[1]
    if (cookie !== undefined) return { by: 'cookie', cookie }
    return items.some((item) => /^stick\s+on\s+src$/.test(item)) ? { by: 'source' } : null
  },
  itemsOf: (value) => {
    if (value === null) return []
    if (value.by === 'source') return ['stick-table type ip size 100k expire 30m', 'stick on src']
    return [`cookie ${encodeToken(value.cookie)} insert indirect nocache httponly`]
  },
  // a stick table without a stick rule counts something, such as the request rate of a visitor
  isBeyondForm: (items) => {
    const isSource =
      items.length === 2 &&
      items.some((item) => /^stick\s+on\s+src$/.test(item)) &&
      items.some((item) => item.startsWith('stick-table'))
    return items.length > 0 && !isSource && !(items.length === 1 && /^cookie\s/.test(items[0]!))
  },
}

const mode = single('mode', 'mode')

/** In the order in which a new backend lists them. */
export const backendKinds: readonly PartKind[] = [
  mode,
  balance,
  httpCheck,
  sticky,
  timeouts,
  forwardsAddress,
  compression,
]

/** The parts by name, for reading them. */
export const backendPart = {
  mode,
  balance,
  httpCheck,
  sticky,
  timeouts,
  forwardsAddress,
  compression,
} as const

/** Returns the words of the first statement that begins with the given words. */
function textsOf(items: readonly string[], ...begin: readonly string[]): readonly string[] | undefined {
  return items
    .map((item) => readTokens(item).map(({ text }) => text))
    .find((texts) => begin.every((token, at) => texts[at] === token))
}

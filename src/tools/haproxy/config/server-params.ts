import { encodeToken, type Token } from './tokens.ts'

/**
 * One parameter of a server: its keyword and value as HAProxy parses them, and both as written, including the
 * preceding space.
 */
export interface Param {
  readonly key: string
  readonly value: string | undefined
  readonly raw: string
}

/**
 * Parameters that take a value; those with more than one value take words that equal none of the names below.
 */
const takesValue = new Set(
  (
    'addr agent-addr agent-inter agent-port agent-send alpn ca-file check-alpn check-proto check-sni ciphers ciphersuites cookie crl-file crt curves ' +
    'downinter error-limit fall fastinter id init-addr inter init-state log-bufsize log-proto max-reuse maxconn maxqueue minconn namespace npn observe on-error ' +
    'on-marked-down on-marked-up pool-low-conn pool-max-conn pool-purge-delay port proto proxy-v2-options redir resolve-net resolve-opts resolve-prefer resolvers ' +
    'rise set-proxy-v2-tlv-fmt shard sigalgs client-sigalgs slowstart sni socks4 source ssl-max-ver ssl-min-ver tcp-ut track usesrc verify verifyhost weight ws interface idle-ping hash-key guid'
  ).split(' '),
)

/** Returns the parameters of a `server` or `default-server` line: its words from the given index on. */
export function paramsOf(line: string, tokens: readonly Token[], from: number): readonly Param[] {
  const found: Param[] = []
  for (let at = from; at < tokens.length; at++) {
    const { text } = tokens[at]!
    const before = tokens[at - 1]!
    const next = takesValue.has(text) ? tokens[at + 1] : undefined
    if (next !== undefined) at++
    found.push({ key: text, value: next?.text, raw: line.slice(endOf(before), endOf(tokens[at]!)) })
  }
  return found
}

const endOf = ({ start, raw }: Token) => start + raw.length

/** Creates a parameter without quoting or inheritance. */
export function param(key: string, value?: string): Param {
  return { key, value, raw: value === undefined ? ` ${key}` : ` ${key} ${encodeToken(value)}` }
}

/** True if a flag such as `check` is set: the last of the flag and its `no-` form wins. */
export function hasFlag(params: readonly Param[], key: string): boolean {
  return params.findLast((each) => each.key === key || each.key === `no-${key}`)?.key === key
}

/** Returns the value of a parameter, undefined if it is not set. */
export function valueOf(params: readonly Param[], key: string): string | undefined {
  return params.findLast((each) => each.key === key)?.value
}

/**
 * Sets a flag in the server's own parameters, over those of `default-server`. A parameter that already has
 * the wanted value keeps its bytes.
 */
export function withFlag(
  own: readonly Param[],
  inherited: readonly Param[],
  key: string,
  wanted: boolean,
): readonly Param[] {
  if (hasFlag([...inherited, ...own], key) === wanted) return own
  const others = own.filter((each) => each.key !== key && each.key !== `no-${key}`)
  return hasFlag(inherited, key) === wanted ? others : [...others, param(wanted ? key : `no-${key}`)]
}

/**
 * Sets a value in the server's own parameters, at the position of its last occurrence. Null removes the own
 * value, undefined keeps it.
 */
export function withValue(
  own: readonly Param[],
  inherited: readonly Param[],
  key: string,
  wanted: string | null | undefined,
): readonly Param[] {
  if (wanted === undefined) return own
  if (wanted === null)
    return own.some((each) => each.key === key) ? own.filter((each) => each.key !== key) : own
  if (valueOf([...inherited, ...own], key) === wanted) return own
  const last = own.findLastIndex((each) => each.key === key)
  if (last === -1) return [...own, param(key, wanted)]
  return own.flatMap((each, at) => (at === last ? [param(key, wanted)] : each.key === key ? [] : [each]))
}

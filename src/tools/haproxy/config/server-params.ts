import { encodeToken, type Token } from './tokens.ts'

/** One parameter of a server: its keyword and its value as HAProxy reads them, and both as they are written, with the space before them. */
export interface Param {
  readonly key: string
  readonly value: string | undefined
  readonly raw: string
}

/** Parameters that take a value; those of more than one take it as words that no name below equals. */
const takesValue = new Set(
  (
    'addr agent-addr agent-inter agent-port agent-send alpn ca-file check-alpn check-proto check-sni ciphers ciphersuites cookie crl-file crt curves ' +
    'downinter error-limit fall fastinter id init-addr inter init-state log-bufsize log-proto max-reuse maxconn maxqueue minconn namespace npn observe on-error ' +
    'on-marked-down on-marked-up pool-low-conn pool-max-conn pool-purge-delay port proto proxy-v2-options redir resolve-net resolve-opts resolve-prefer resolvers ' +
    'rise set-proxy-v2-tlv-fmt shard sigalgs client-sigalgs slowstart sni socks4 source ssl-max-ver ssl-min-ver tcp-ut track usesrc verify verifyhost weight ws interface idle-ping hash-key guid'
  ).split(' '),
)

/** The parameters of a `server` or `default-server` line: its words from this one on. */
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

/** Makes a parameter that is written the plain way. */
export function param(key: string, value?: string): Param {
  return { key, value, raw: value === undefined ? ` ${key}` : ` ${key} ${encodeToken(value)}` }
}

/** Whether a flag such as `check` holds: the last of it and its `no-` wins. */
export function hasFlag(params: readonly Param[], key: string): boolean {
  return params.findLast((each) => each.key === key || each.key === `no-${key}`)?.key === key
}

/** What a parameter is set to, undefined where it is not. */
export function valueOf(params: readonly Param[], key: string): string | undefined {
  return params.findLast((each) => each.key === key)?.value
}

/** The own parameters with a flag as wanted, over those of `default-server`. What holds already keeps its bytes. */
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

/** The own parameters with a value as wanted, where the last of them stood. Null takes the own one away, undefined leaves all as it is. */
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

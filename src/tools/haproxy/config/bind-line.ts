import { encodeToken, readTokens, type Token } from './tokens.ts'

/** An address on which a frontend listens. */
export interface Bind {
  /** `*` for all addresses; without brackets. Multiple addresses, sockets and ranges are kept as written. */
  readonly address: string
  /** Null if the address is complete without it. */
  readonly port: number | null
  readonly usesTls: boolean
  /**
   * Paths of certificates; if there are several, HAProxy selects one by the server name that the client
   * requests.
   */
  readonly certificates: readonly string[]
  readonly alpn: string | null
  /** The minimum TLS version; undefined keeps the current one, null restores the default. */
  readonly minTls?: string | null
  /**
   * True if clients that request a name without a certificate are rejected; undefined keeps the current
   * setting.
   */
  readonly isStrict?: boolean
}

/** Reads a `bind` line. */
export function readBind(line: string): Bind | undefined {
  const tokens = readTokens(line)
  if (tokens[0]?.text !== 'bind' || tokens[1] === undefined) return undefined
  const pairs = pairsOf(tokens.slice(2))
  const value = (key: string) =>
    pairs.filter(([first]) => first!.text === key).map(([, second]) => second?.text ?? '')
  return {
    ...readAddress(tokens[1].text),
    usesTls: pairs.some(([first]) => first!.text === 'ssl'),
    certificates: value('crt'),
    alpn: value('alpn').at(-1) ?? null,
    minTls: value('ssl-min-ver').at(-1) ?? null,
    isStrict: pairs.some(([first]) => first!.text === 'strict-sni'),
  }
}

/** Renders the line of a new bind. */
export function renderBind(bind: Bind, indent: string): string {
  return `${indent}bind ${[addressWord(bind), ...tlsWords(bind)].map(encodeToken).join(' ')}`
}

/** Applies TLS settings to a bind's line; keeps its other parameters and its comment as written. */
export function editBind(line: string, bind: Bind): string {
  const tokens = readTokens(line)
  const kept = pairsOf(tokens.slice(2))
    .filter(([first]) => !isOurs(first!.text, bind))
    .flat()
  const last = tokens.at(-1)!
  const head = line.slice(0, tokens[1]!.start + tokens[1]!.raw.length)
  return `${head}${[...tlsWords(bind).map(encodeToken), ...kept.map(({ raw }) => raw)].map((token) => ` ${token}`).join('')}${line.slice(last.start + last.raw.length)}`
}

function isOurs(key: string, { usesTls, minTls, isStrict }: Bind): boolean {
  if (key === 'ssl-min-ver') return !usesTls || minTls !== undefined
  if (key === 'strict-sni') return !usesTls || isStrict !== undefined
  return key === 'ssl' || key === 'crt' || key === 'alpn'
}

const takesValue = new Set(
  (
    'accept-netscaler-cip alpn backlog curves ecdhe ca-file ca-ignore-err ca-sign-file ca-sign-pass ca-verify-file ciphers ciphersuites client-sigalgs crl-file crt ' +
    'crt-ignore-err crt-list gid group id interface level severity-output maxconn mode mss name namespace nice npn ocsp-update process proto quic-cc-algo shards ' +
    'sigalgs ssl-max-ver ssl-min-ver tcp-ut thread tls-ticket-keys uid user verify label guid'
  ).split(' '),
)

function pairsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const pairs: (readonly Token[])[] = []
  for (let at = 0; at < tokens.length;) {
    const width = takesValue.has(tokens[at]!.text) ? 2 : 1
    pairs.push(tokens.slice(at, at + width))
    at += width
  }
  return pairs
}

function readAddress(token: string): { readonly address: string; readonly port: number | null } {
  const found = /^([^,/@]*):(\d{1,5})$/.exec(token)
  if (found === null) return { address: token, port: null }
  return { address: found[1]!.replace(/^\[(.*)\]$/, '$1') || '*', port: Number(found[2]) }
}

function addressWord({ address, port }: Bind): string {
  if (port === null) return address
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

function tlsWords({ usesTls, certificates, alpn, minTls, isStrict }: Bind): readonly string[] {
  if (!usesTls) return []
  return [
    'ssl',
    ...certificates.flatMap((path) => ['crt', path]),
    ...(alpn === null ? [] : ['alpn', alpn]),
    ...(minTls === undefined || minTls === null ? [] : ['ssl-min-ver', minTls]),
    ...(isStrict === true ? ['strict-sni'] : []),
  ]
}

import { encodeWord, readWords } from './words.ts'

/** One server of a backend, as its line says. */
export interface ServerView {
  readonly name: string
  /** A host name, an address without brackets, or what HAProxy takes beside them, such as `unix@/run/app.sock`. */
  readonly address: string
  readonly port: number | null
  readonly weight: number | null
  readonly isBackup: boolean
  readonly usesTls: boolean
  readonly isChecked: boolean
}

/** What a form says of a server. Everything else on its line stays. */
export interface ServerSettings {
  readonly name: string
  readonly address: string
  readonly port: number
  readonly weight: number | null
  readonly isBackup: boolean
  readonly usesTls: boolean
  readonly isChecked: boolean
}

/** Reads a `server` line; undefined for any other. */
export function readServer(line: string): ServerView | undefined {
  const words = readWords(line)
  if (words[0]?.text !== 'server' || words.length < 3) return undefined
  const parameters = parametersOf(words.slice(3).map(({ text }) => text))
  const has = (name: string) => parameters.some(([key]) => key === name)
  const weight = parameters.findLast(([key]) => key === 'weight')?.[1]
  return {
    name: words[1]!.text,
    ...readAddress(words[2]!.text),
    weight: weight !== undefined && /^\d{1,9}$/.test(weight) ? Number(weight) : null,
    isBackup: has('backup'),
    usesTls: has('ssl'),
    isChecked: has('check'),
  }
}

/** The line of a new server. */
export function renderServer(settings: ServerSettings, indent: string): string {
  return `${indent}server ${[settings.name, addressWord(settings), ...parameterWords(settings)].map(encodeWord).join(' ')}`
}

/** A server's line with what a form says; its other parameters, and its comment, stay as they are written. */
export function editServer(line: string, settings: ServerSettings): string {
  const words = readWords(line)
  const kept: string[] = []
  for (let at = 3; at < words.length;) {
    const [first, second] = [words[at]!, words[at + 1]]
    const width = takesValue.has(first.text) && second !== undefined ? 2 : 1
    const isOurs = first.text === 'weight' || first.text === 'backup' || first.text === 'check' || first.text === 'ssl'
    const goesWithTls = !settings.usesTls && (first.text === 'verify' || first.text === 'ca-file')
    if (!isOurs && !goesWithTls) kept.push(...words.slice(at, at + width).map(({ raw }) => raw))
    at += width
  }
  const hasVerify = kept.includes('verify')
  const own = parameterWords(settings).filter((word, index, all) => !(hasVerify && (word === 'verify' || all[index - 1] === 'verify')))
  const last = words.at(-1)!
  const rest = line.slice(last.start + last.raw.length)
  return `${line.slice(0, words[0]!.start)}server ${[settings.name, addressWord(settings), ...own].map(encodeWord).join(' ')}${kept.map((raw) => ` ${raw}`).join('')}${rest}`
}

/** A server's line under another name and port, for a copy of it; HAProxy's own numbers of servers are not copied. */
export function copyServer(line: string, { name, port }: { readonly name: string; readonly port: number }): string {
  const found = readServer(line)!
  const isNetwork = found.port !== null || !isLocal(found.address)
  const settings = { ...found, name, port, usesTls: found.usesTls || (isNetwork && port === 443) }
  const edited = editServer(line, settings)
  if (isNetwork) return edited
  const words = readWords(edited)
  return edited.slice(0, words[2]!.start) + encodeWord(found.address) + edited.slice(words[2]!.start + words[2]!.raw.length)
}

/** Parameters of a server that take a value; those of more than one take it as words that no name below equals. */
const takesValue = new Set(
  (
    'addr agent-addr agent-inter agent-port agent-send alpn ca-file check-alpn check-proto check-sni ciphers ciphersuites cookie crl-file crt curves ' +
    'downinter error-limit fall fastinter id init-addr inter init-state log-bufsize log-proto max-reuse maxconn maxqueue minconn namespace npn observe on-error ' +
    'on-marked-down on-marked-up pool-low-conn pool-max-conn pool-purge-delay port proto proxy-v2-options redir resolve-net resolve-opts resolve-prefer resolvers ' +
    'rise set-proxy-v2-tlv-fmt shard sigalgs client-sigalgs slowstart sni socks4 source ssl-max-ver ssl-min-ver tcp-ut track usesrc verify verifyhost weight ws interface idle-ping hash-key guid'
  ).split(' '),
)

function parametersOf(texts: readonly string[]): readonly (readonly [string, string | undefined])[] {
  const found: [string, string | undefined][] = []
  for (let at = 0; at < texts.length; at++) {
    const key = texts[at]!
    if (takesValue.has(key)) found.push([key, texts[++at]])
    else found.push([key, undefined])
  }
  return found
}

const isLocal = (address: string) => /^(?:unix@|abns@|abnsz@|uxst@|fd@|sockpair@|rhttp@|\/)/.test(address)

function readAddress(word: string): { readonly address: string; readonly port: number | null } {
  if (isLocal(word)) return { address: word, port: null }
  const found = /^(.*):([0-9]{1,5})$/.exec(word)
  const address = found?.[1] ?? word
  return { address: address.replace(/^\[(.*)\]$/, '$1'), port: found === null ? null : Number(found[2]) }
}

function addressWord({ address, port }: ServerSettings): string {
  return address.includes(':') && !address.startsWith('ipv6@') ? `[${address}]:${port}` : `${address}:${port}`
}

function parameterWords({ weight, isBackup, usesTls, isChecked }: ServerSettings): readonly string[] {
  return [
    ...(isChecked ? ['check'] : []),
    ...(weight === null ? [] : ['weight', String(weight)]),
    ...(usesTls ? ['ssl', 'verify', 'none'] : []),
    ...(isBackup ? ['backup'] : []),
  ]
}

import Type from 'typebox'
import { Value } from 'typebox/value'
import { Problem } from '../core/problem.ts'
import { type Asker, type Fetch, isAddress } from '../host/fetch/index.ts'

/** Another panel, and how this one shows who it is. */
export interface Peer {
  /** Without a path. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of its public key in base64; empty: its certificate must be one that this host trusts. */
  readonly publicKey: string
  /** True to accept also a certificate that this host trusts, whatever its public key is. */
  readonly orTrusted?: boolean
  readonly asker: Asker
  /** What is said when it refuses the key. */
  readonly refusedKey: string
}

interface Asking {
  readonly path: string
  /** Sent with POST; absent for GET. */
  readonly body?: object
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** What is said of a server that is no panel. */
export const noPanel = 'it answered as no panel does: check host and port'
const checkMs = 10_000
const Version = Type.Object({ data: Type.Object({ version: Type.String({ minLength: 1 }) }) })
const mostAnswerBytes = 64 * 1024
const Refusal = Type.Object({ error: Type.Object({ message: Type.String() }) })

/** The other panel cannot be reached with this key: another request need not be tried. */
export class PeerUnreachable extends Error {}

/** Sends a request to another panel and returns its JSON; fails with its message. */
export async function askPeer(
  fetch: Fetch,
  { url, refusedKey, ...peer }: Peer,
  { path, body, limitMs, signal }: Asking,
): Promise<unknown> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const request = { ...peer, url: `${url}${path}`, maxBytes: mostAnswerBytes, signal: within }
  const { status, text } = await fetch.peer({ ...request, ...(body && { body }) }).catch((cause: unknown) => {
    throw signal.aborted ? cause : new PeerUnreachable(reasonOf(cause, limitMs), { cause })
  })
  if (status === 401) throw new PeerUnreachable(refusedKey)
  const answer = jsonIn(text)
  if (status !== 200) throw new Error(`it answered ${status}: ${refusalIn(answer)}`)
  return answer
}

const reasonOf = (error: unknown, limitMs: number): string =>
  error instanceof Problem
    ? error.message.replace(/^url: /, '')
    : `it did not answer within ${limitMs / 1000} s`

const refusalIn = (answer: unknown): string =>
  Value.Check(Refusal, answer) ? answer.error.message.slice(0, 1500) : 'no reason was given'

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Place {
  readonly host: string
  readonly port: number
  readonly public_key: string
}

/** The panel at a place, as it is asked with a key; internal addresses are for those who may reach them. */
export function peerAt({ host, port, public_key: publicKey }: Place, key: string, { isAdmin }: Asker): Peer {
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    headers: { authorization: `Bearer ${key}` },
    publicKey,
    asker: { isAdmin },
    refusedKey: 'it refused the API key: create one there, and enter it here',
  }
}

/** Asks another panel for its version, which only a valid key is told; fails with the reason. */
export async function checkPeer(fetch: Fetch, peer: Peer, signal: AbortSignal): Promise<void> {
  const answer = await askPeer(fetch, peer, { path: '/api/version', limitMs: checkMs, signal })
  if (!Value.Check(Version, answer)) throw new Error(noPanel)
}

/** Returns the message of a failure; what the caller has cancelled is none. */
export const messageUnless =
  (signal: AbortSignal) =>
  (error: unknown): string => {
    if (signal.aborted || !(error instanceof Error)) throw error
    return error.message.slice(0, 2000)
  }

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

/** True for a host name in lower case, or an IP address. One that ends in a number is read as an IPv4 address. */
export const isHost = (text: string): boolean =>
  (isAddress(text) && !text.includes('%')) || (hostName.test(text) && !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(text))

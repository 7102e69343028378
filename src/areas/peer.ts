import Type from 'typebox'
import { Value } from 'typebox/value'
import { Problem } from '../core/problem.ts'
import type { Asker, Fetch } from '../host/fetch/index.ts'

/** Another panel, and how this one shows who it is. */
export interface Peer {
  /** Without a path. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of its public key in base64; empty: its certificate must be one that this host trusts. */
  readonly publicKey: string
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

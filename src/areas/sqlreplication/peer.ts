import type { Readable } from 'node:stream'
import Type, { type Static, type TSchema } from 'typebox'
import { Problem } from '../../core/problem.ts'
import { type Fetch, fetchProblems } from '../../host/fetch/index.ts'
import { parserOf } from '../../tools/powerdns/index.ts'
import { syncKeyHeader } from '../sync-key.ts'
import { PeerFailed, PeerInvalid } from './problems.ts'

/** The panel of another server, with its sync key and the public key that it must have. */
export interface Peer {
  readonly url: string
  readonly key: string
  /** Empty if its certificate is valid for its name. */
  readonly pin: string
}

interface Question<Schema extends TSchema> {
  readonly path: string
  readonly body?: object
  readonly reply: Schema
  readonly signal: AbortSignal
}

/** The panels of other servers. The administrator named them, so that they may be internal. */
export interface Peers {
  /** Reads which key has to be pinned; empty for a certificate that is valid, or without TLS on this host. */
  readPin(url: string, signal: AbortSignal): Promise<string>
  /** Asks a panel, and returns its data; fails with its message. */
  ask<Schema extends TSchema>(peer: Peer, question: Question<Schema>): Promise<Static<Schema>>
  /** Opens a dump of all databases there. */
  openDump(peer: Peer, signal: AbortSignal): Promise<Readable>
}

const asker = { isAdmin: true }
const limitMs = 300_000
const mostBytes = 64 * 1024 * 1024
const base = '/api/sqldb/replication'
const parseRefusal = parserOf(Type.Object({ error: Type.Object({ message: Type.String() }) }))

/** Opens access to the panels of other servers. */
export function openPeers(fetch: Fetch): Peers {
  return {
    readPin: async (url, signal) => {
      if (!url.startsWith('https:')) return ''
      const { pin, isValid } = await fetch.readKey(url, asker, signal).catch(refused)
      return isValid ? '' : pin
    },
    ask: async ({ url, key, pin }, { path, body = {}, reply, signal }) => {
      const within = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
      const headers = () => ({ [syncKeyHeader]: key })
      const { status, text } = await fetch
        .post({ url: `${url}${base}${path}`, asker, body, headers, pin, maxBytes: mostBytes, signal: within })
        .catch(refused)
      if (status === 401)
        throw PeerInvalid(
          'sync_key: the other panel refused it: generate a sync key there, and enter it here',
        )
      if (status >= 300) throw PeerFailed(`The other panel answered ${status}: ${refusalIn(text)}`)
      return dataIn(text, reply)
    },
    openDump: async ({ url, key, pin }, signal) => {
      const post = { body: {}, headers: { [syncKeyHeader]: key } }
      const wanted = {
        url: `${url}${base}/dump`,
        asker,
        maxBytes: Number.MAX_SAFE_INTEGER,
        signal,
        post,
        pin,
      }
      const { stream } = await fetch.open(wanted).catch(refused)
      return stream
    },
  }
}

function refused(error: unknown): never {
  if (error instanceof Problem && Object.values(fetchProblems).some((kind) => kind === error.kind))
    throw PeerFailed(`The other panel cannot be reached: ${error.message.replace(/^url: /, '')}`)
  if (error instanceof Error && error.name === 'TimeoutError')
    throw PeerFailed(`The other panel did not answer within ${limitMs / 1000} s`)
  throw error
}

function refusalIn(text: string): string {
  try {
    return parseRefusal(JSON.parse(text)).error.message.slice(0, 1500)
  } catch {
    return 'no reason was given'
  }
}

function dataIn<Schema extends TSchema>(text: string, schema: Schema): Static<Schema> {
  try {
    return parserOf(schema)(JSON.parse(text).data)
  } catch {
    throw PeerFailed('The other panel answered as no panel does: check its address and version')
  }
}

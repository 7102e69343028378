import Type from 'typebox'
import { Problem } from '../../../core/problem.ts'
import type { Fetch } from '../../../host/fetch/index.ts'
import { parserOf } from '../../../tools/powerdns/index.ts'
import { type SyncedZone, SyncZoneApplied } from './model.ts'

/** A panel that takes zones, and its sync key. */
export interface SyncTarget {
  readonly url: string
  readonly key: string
}

const limitMs = 60_000
const mostAnswerBytes = 64 * 1024
const parseApplied = parserOf(Type.Object({ data: SyncZoneApplied }))
const parseRefusal = parserOf(Type.Object({ error: Type.Object({ message: Type.String() }) }))

/** The other panel cannot be reached: other zones need not be tried. */
export class Unreachable extends Error {}

/** Sends a zone to another panel; fails with its message. The administrator named it, so it may be internal. */
export async function sendZone(
  fetch: Fetch,
  { url, key }: SyncTarget,
  zone: SyncedZone,
  signal: AbortSignal,
): Promise<void> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const posted = {
    ...{ url: `${url}/api/authdns/sync-zone`, asker: { isAdmin: true }, body: zone },
    ...{ headers: () => ({ 'x-panel-sync-key': key }), maxBytes: mostAnswerBytes, signal: within },
  }
  const { status, text } = await fetch.post(posted).catch((cause: unknown) => {
    throw signal.aborted ? cause : new Unreachable(reasonOf(cause), { cause })
  })
  if (status === 401) throw new Unreachable('it refused the sync key: generate one there, and enter it here')
  if (status !== 200) throw new Error(`it answered ${status}: ${refusalIn(text)}`)
  if (!isApplied(text)) throw new Unreachable('it answered as no panel does: check the address')
}

const reasonOf = (error: unknown): string =>
  error instanceof Problem
    ? error.message.replace(/^url: /, '')
    : `it did not answer within ${limitMs / 1000} s`

function refusalIn(text: string): string {
  try {
    return parseRefusal(JSON.parse(text)).error.message.slice(0, 1500)
  } catch {
    return 'no reason was given'
  }
}

function isApplied(text: string): boolean {
  try {
    return parseApplied(JSON.parse(text)).data.success
  } catch {
    return false
  }
}

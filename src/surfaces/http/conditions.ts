import type { Bytes } from '../../core/reply.ts'
import type { Scope } from './scope.ts'

/**
 * True if `If-None-Match` names the current etag by weak comparison, so that the content is not sent again
 * (RFC 9110, section 13.1.2).
 */
export function isCurrent(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(tags)].some(([, tag]) => tag === etag.replace(/^W\//, ''))
}

const tags = /(?:^|[\s,])(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")(?=$|[\s,])/g

/** The conditional headers of a client that asks for a range. */
export interface Conditional {
  readonly ifNoneMatch: string
  readonly range: string
}

/**
 * Opens content for a client that may have it: `If-None-Match` is evaluated before the range (RFC 9110,
 * section 13.2.2), which may not even fit the client's copy.
 */
export async function runConditional(
  run: (scope: Scope) => unknown,
  scope: Scope,
  { ifNoneMatch, range }: Conditional,
): Promise<Bytes> {
  scope.range = undefined
  const whole = (await run(scope)) as Bytes
  if (isCurrent(ifNoneMatch, whole.etag)) return whole
  whole.stream.destroy()
  scope.range = range
  return (await run(scope)) as Bytes
}

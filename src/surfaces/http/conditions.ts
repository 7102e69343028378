import type { Bytes } from '../../core/reply.ts'
import type { Scope } from './scope.ts'

/** Whether `If-None-Match` names what stands there now, so that it is not sent again (RFC 9110, section 13.1.2): compared weakly. */
export function isCurrent(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(tags)].some(([, tag]) => tag === etag.replace(/^W\//, ''))
}

const tags = /(?:^|[\s,])(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")(?=$|[\s,])/g

/** What a caller who has some of it already asks for. */
export interface Conditional {
  readonly ifNoneMatch: string
  readonly range: string
}

/** Opens bytes for a caller who has them, perhaps: whether they changed goes before the range (section 13.2.2), which may not even fit what he has. */
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

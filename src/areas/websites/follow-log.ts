import { Busy } from '../../core/problem.ts'
import type { StreamEvent } from '../../core/reply.ts'
import type { Websites } from './context.ts'
import type { LogFollowing, SiteLogLine } from './model.ts'

const mostReaders = 200
let readers = 0

/** Yields the last lines of a website's log and then those to come, also after a rotation. */
export async function* followLog(
  { nginx }: Pick<Websites, 'nginx'>,
  domain: string,
  { search, follow: isFollowing, ...wanted }: LogFollowing,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent<SiteLogLine>> {
  if (readers >= mostReaders) throw Busy(`${mostReaders} logs are being read: close one and try again`)
  readers += 1
  try {
    for await (const message of nginx.followLog(domain, { ...wanted, isFollowing, signal }))
      if (search === undefined || message.includes(search)) yield { value: { type: 'line', message } }
  } finally {
    readers -= 1
  }
}

import { repeat } from '../../core/repeat.ts'
import type { Traffic } from './context.ts'
import { keptDays } from './model.ts'
import { hourAt } from './statistics.ts'

const everyMs = 300_000
const dayMs = 86_400_000

/** Collects the traffic of all websites from their logs every five minutes: a log is kept for a day before it is compressed. */
export const watchLogs = (on: Traffic): { stop(): Promise<void> } =>
  repeat({
    everyMs,
    work: (signal) => collectAll(on, new Date(), signal),
    failed: (error) => on.log.error({ err: error }, 'the traffic of websites could not be collected'),
  })

/** Adds what was logged since the last time, and removes what is older than 90 days. */
export async function collectAll(on: Traffic, now: Date, signal: AbortSignal): Promise<void> {
  for (const site of await on.queries.sites()) {
    signal.throwIfAborted()
    try {
      await collect(on, site, signal)
    } catch (error) {
      signal.throwIfAborted()
      on.log.error({ err: error, website: site.domain }, 'the log of a website could not be read')
    }
  }
  const trusted = on.websites.trustedNow()
  if (trusted !== undefined)
    await on.queries.forgetBefore(hourAt(Math.min(trusted.getTime(), now.getTime()) - keptDays * dayMs))
}

async function collect(
  { queries, nginx }: Traffic,
  { id, domain }: { readonly id: number; readonly domain: string },
  signal: AbortSignal,
): Promise<void> {
  const since = await queries.position(id)
  const { position, hours } = await nginx.readTraffic(domain, since, signal)
  const isNew = position !== null && (position.inode !== since?.inode || position.offset !== since.offset)
  if (isNew) await queries.add(id, since, { position, hours })
}

import type { Traffic } from './context.ts'
import { keptDays } from './model.ts'
import { hourAt } from './statistics.ts'

const everyMs = 300_000
const dayMs = 86_400_000

/** Collects the traffic of all websites from their logs every five minutes: a log is kept for a day before it is compressed. */
export function watchLogs(on: Traffic): { stop(): Promise<void> } {
  const halt = new AbortController()
  const tick = async () => {
    try {
      await collectAll(on, new Date(), halt.signal)
    } catch (error) {
      if (!halt.signal.aborted) on.log.error({ err: error }, 'the traffic of websites could not be collected')
    }
  }
  let running = Promise.resolve()
  const timer = setInterval(() => (running = running.then(tick)), everyMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      halt.abort(new Error('the panel is stopping'))
      await running
    },
  }
}

/** Adds what was logged since the last time, and removes what is older than 90 days. */
export async function collectAll(on: Traffic, now: Date, signal: AbortSignal): Promise<void> {
  const { queries, nginx } = on
  for (const { id, domain } of await queries.sites()) {
    signal.throwIfAborted()
    const since = await queries.position(id)
    const { position, hours } = await nginx.readTraffic(domain, since, signal)
    const isNew = position !== null && (position.inode !== since?.inode || position.offset !== since.offset)
    if (isNew) await queries.add(id, since, { position, hours })
  }
  const trusted = on.websites.trustedNow()
  if (trusted !== undefined)
    await queries.forgetBefore(hourAt(Math.min(trusted.getTime(), now.getTime()) - keptDays * dayMs))
}

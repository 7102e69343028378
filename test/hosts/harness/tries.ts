import { setTimeout as pause } from 'node:timers/promises'

const mostTries = 3
const pauseMs = 10_000

/** Tries what may fail by the network up to three times, with longer pauses; rejects with the last error. */
export async function withTries<T>(what: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (attempt === mostTries)
        throw new Error(`${what} failed ${mostTries} times: ${String(error)}`, { cause: error })
      console.error(`test hosts: ${what} failed, attempt ${attempt} of ${mostTries}: ${String(error)}`)
      await pause(attempt * pauseMs)
    }
}

/** The error of a suite that misses a download: suites download nothing themselves. */
export const missingDownload = (what: string): Error =>
  new Error(`${what} is not in the cache: fetch it with npm run test:hosts -- --images`)

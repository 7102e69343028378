import { type AttemptCounts, openAttemptCounts } from '../../core/attempt-counts.ts'
import { pause } from '../../core/poll.ts'
import { banKey } from '../../tools/nftables/index.ts'
import { banChange, isExempt } from './bans.ts'
import { carryOut } from './carry-out.ts'
import type { Banning, Firewall, SignInPlace } from './context.ts'

const places: Readonly<Record<SignInPlace, string>> = { panel: 'to the panel', ssh: 'over SSH' }

const againMs = 10_000

/** Opens the counts, which are the same for all that people sign in to. */
export function openBanning(on: Firewall): Banning {
  let counts: AttemptCounts | undefined
  let windowMinutes = 0
  const count = async (ip: string, place: SignInPlace) => {
    const settings = await on.queries.settings()
    if (!settings.bans_sign_ins) return
    if (counts === undefined || windowMinutes !== settings.window_minutes) {
      windowMinutes = settings.window_minutes
      counts = openAttemptCounts(windowMinutes * 60_000)
    }
    const key = banKey(ip)
    const at = performance.now()
    counts.add(key, at)
    const { count: failed } = counts.read(key, at)
    const now = new Date()
    if (failed % settings.attempts !== 0) return // a released address has as many attempts again
    if ((await isExempt(on, ip, now)) || !(await on.nftables.detect()).present) return
    const reason = `${failed} failed sign-ins within ${windowMinutes} minutes, the last one ${places[place]}`
    const decide = () =>
      banChange(on, { address: ip, seconds: settings.ban_minutes * 60, reason, source: place, now })
    await carryOut(on, { action: 'firewall_ban', decide, signal: AbortSignal.timeout(30_000) })
  }
  return {
    count: (ip, place) =>
      count(ip, place).catch((error) => on.log.error({ err: error }, 'an address could not be banned')),
  }
}

/** Counts the failed sign-ins to sshd while the panel runs. */
export function watchSsh(on: Firewall, banning: Banning): { stop(): Promise<void> } {
  const halt = new AbortController()
  const { signal } = halt
  const watch = async () => {
    while (!signal.aborted) {
      try {
        for await (const address of on.openssh.failures(signal)) await banning.count(address, 'ssh')
      } catch (error) {
        if (!signal.aborted) on.log.error({ err: error }, 'the sign-ins to sshd cannot be followed')
      }
      await pause(againMs, signal).catch(() => undefined) // sshd or the journal may come later
    }
  }
  const running = watch()
  return {
    stop: async () => {
      halt.abort(new Error('the panel is stopping'))
      await running
    },
  }
}

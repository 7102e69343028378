import { type AttemptCounts, openAttemptCounts } from '../../core/attempt-counts.ts'
import type { Change } from '../../core/change.ts'
import { HeldByChange, Problem } from '../../core/problem.ts'
import { banKey, digestIn } from '../../tools/nftables/index.ts'
import { banChange, isExempt } from './bans.ts'
import type { Firewall } from './context.ts'
import { findPending } from './status.ts'
import { areaPorts, renderRules, tableChange } from './table.ts'

const everyMs = 3000

/** Keeps the table in the kernel as the rules and the areas want it, and its bans after a restart of the host. */
export function watchFirewall(on: Firewall): { stop(): Promise<void> } {
  const halt = new AbortController()
  let known: string | undefined
  const look = async () => {
    const { is_enabled: isEnabled } = await on.queries.settings()
    if (!isEnabled) return void (known = undefined)
    const opened = JSON.stringify(await areaPorts(on))
    if (opened === known || (await findPending(on)) !== undefined) return
    await adapt(on, halt.signal)
    known = opened
  }
  const tick = () =>
    look().catch((error) => {
      if (error instanceof Problem && error.kind === HeldByChange) return // it is tried again
      on.log.error({ err: error }, 'the firewall could not be compared with its rules')
    })
  let running = restore(on).then(tick)
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

/** The kernel forgets tables with a restart, and where another program flushes them. */
async function restore(on: Firewall): Promise<void> {
  try {
    const now = new Date()
    const [{ is_enabled: isEnabled }, bans] = await Promise.all([on.queries.settings(), on.queries.bans(now)])
    if (isEnabled && (await on.nftables.readTable()) === undefined) await on.nftables.restoreTable()
    const left = bans.map(({ address, until }) => ({
      address,
      seconds: until === null ? null : Math.max(1, Math.ceil((Date.parse(until) - now.getTime()) / 1000)),
    }))
    if (left.length > 0) await on.nftables.restoreBans(left)
  } catch (error) {
    on.log.error({ err: error }, 'the firewall could not be restored')
  }
}

/** Loads the table where the kernel has another one. */
async function adapt(on: Firewall, signal: AbortSignal): Promise<void> {
  const decide = async () =>
    tableChange(on, {
      summary: 'Open the ports that areas need, and close the others',
      userId: null,
      rules: await on.queries.rules(),
      isRisky: false,
      reply: (done) => done,
    })
  const [live, wanted] = [await on.nftables.readTable(), await renderRules(on, await on.queries.rules())]
  if (live !== undefined && digestIn(live) === digestIn(wanted)) return
  await carryOut(on, { action: 'firewall_adapt', decide, signal })
}

interface Own {
  readonly action: string
  readonly decide: () => Promise<Change>
  readonly signal: AbortSignal
}

/** Carries out a change that nobody asked for. */
function carryOut({ execute }: Firewall, { action, decide, signal }: Own) {
  const entry = {
    action,
    user_id: null,
    key_id: null,
    ip: 'local',
    method: 'POST',
    path: '/api/firewall',
    request: '{}',
    request_id: action,
  }
  return execute({ decide, actor: { entry }, keepsReply: false, signal, actSignal: signal })
}

/** Returns what counts a failed sign-in, and bans the address that has had too many. */
export function openBanning(on: Firewall): (ip: string) => Promise<void> {
  let counts: AttemptCounts | undefined
  let windowMinutes = 0
  return async (ip) => {
    try {
      const settings = await on.queries.settings()
      if (!settings.bans_sign_ins) return
      if (counts === undefined || windowMinutes !== settings.window_minutes) {
        windowMinutes = settings.window_minutes
        counts = openAttemptCounts(windowMinutes * 60_000)
      }
      const key = banKey(ip)
      const at = performance.now()
      counts.add(key, at)
      const { count } = counts.read(key, at)
      const now = new Date()
      if (count % settings.attempts !== 0) return // a released address has as many attempts again
      if ((await isExempt(on, ip, now)) || !(await on.nftables.detect()).present) return
      const reason = `${count} failed sign-ins to the panel within ${windowMinutes} minutes`
      const decide = () =>
        banChange(on, { address: ip, seconds: settings.ban_minutes * 60, reason, source: 'panel', now })
      await carryOut(on, { action: 'firewall_ban', decide, signal: AbortSignal.timeout(30_000) })
    } catch (error) {
      on.log.error({ err: error }, 'an address could not be banned')
    }
  }
}

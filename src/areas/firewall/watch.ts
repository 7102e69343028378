import { HeldByChange, Problem } from '../../core/problem.ts'
import { repeat } from '../../core/repeat.ts'
import { digestIn } from '../../tools/nftables/index.ts'
import { carryOut } from './carry-out.ts'
import type { Firewall } from './context.ts'
import { findPending } from './status.ts'
import { areaPorts, renderRules, tableChange } from './table.ts'

const everyMs = 3000
/** Each third look asks the kernel too: `nft -f /etc/nftables.conf` flushes the tables of everybody. */
const looksPerKernelLook = 3

/** Keeps the table in the kernel as the rules and the areas want it, and restores what the kernel has lost. */
export function watchFirewall(on: Firewall): { stop(): Promise<void> } {
  let known: string | undefined
  let looks = 0
  const look = async (signal: AbortSignal) => {
    looks += 1
    const asksKernel = looks % looksPerKernelLook === 0
    if (asksKernel) await restoreBans(on)
    const { is_enabled: isEnabled, driver } = await on.queries.settings()
    if (!isEnabled) return void (known = undefined)
    if (driver === 'firewalld') await on.firewalld.restoreAdmitted()
    const opened = JSON.stringify(await areaPorts(on))
    const isLost = asksKernel && (await on.nftables.readTable()) === undefined
    if ((opened === known && !isLost) || (await findPending(on)) !== undefined) return
    known = await adapt(on, signal)
  }
  return repeat({
    everyMs,
    isAtOnce: true,
    work: async (signal) => {
      if (looks === 0) await restore(on)
      await look(signal)
    },
    failed: (error) => {
      if (error instanceof Problem && error.kind === HeldByChange) return // it is tried again
      on.log.error({ err: error }, 'the firewall could not be compared with its rules')
    },
  })
}

/** Restores at the start of the panel what the kernel forgot with a restart. */
async function restore(on: Firewall): Promise<void> {
  try {
    const { is_enabled: isEnabled } = await on.queries.settings()
    if (isEnabled && (await on.nftables.readTable()) === undefined) await on.nftables.restoreTable()
    await restoreBans(on)
  } catch (error) {
    on.log.error({ err: error }, 'the firewall could not be restored')
  }
}

/** Bans for the rest of their time the addresses that the kernel has forgotten. */
async function restoreBans({ queries, nftables }: Firewall): Promise<void> {
  const now = new Date()
  const bans = await queries.bans(now)
  const left = bans.map(({ address, until }) => ({
    address,
    seconds: until === null ? null : Math.max(1, Math.ceil((Date.parse(until) - now.getTime()) / 1000)),
  }))
  await nftables.restoreBans(left)
}

/** Loads the table where the kernel has another one, or none; returns the ports of areas that it opens. */
async function adapt(on: Firewall, signal: AbortSignal): Promise<string> {
  const live = await on.nftables.readTable()
  let areas = await areaPorts(on)
  const wanted = await renderRules(on, await on.queries.rules(), { areas })
  if (live !== undefined && digestIn(live) === digestIn(wanted)) return JSON.stringify(areas)
  const summary =
    live === undefined
      ? 'Load the firewall again, which another program has removed'
      : 'Open the ports that areas need, and close the others'
  const decide = async () => {
    const [{ is_enabled: isEnabled }, rules] = await Promise.all([on.queries.settings(), on.queries.rules()])
    areas = await areaPorts(on) // they may have changed, and the firewall may have been disabled since
    return tableChange(on, {
      summary,
      userId: null,
      rules: isEnabled ? rules : null,
      areas,
      isRisky: false,
      reply: (done) => done,
    })
  }
  await carryOut(on, { action: 'firewall_adapt', decide, signal })
  return JSON.stringify(areas)
}

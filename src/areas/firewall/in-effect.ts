import { digestIn } from '../../tools/nftables/index.ts'
import type { Firewall } from './context.ts'
import { renderRules } from './table.ts'

/** True if the kernel admits what the rules and the areas want now; also while the firewall is off. */
export async function isInEffect(on: Firewall): Promise<boolean> {
  const { is_enabled: isEnabled } = await on.queries.settings()
  if (isEnabled !== 1) return true
  const [live, rules] = await Promise.all([on.nftables.readTable(), on.queries.rules()])
  return live !== undefined && digestIn(live) === digestIn(await renderRules(on, rules))
}

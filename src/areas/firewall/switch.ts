import type { Change } from '../../core/change.ts'
import type { Firewall } from './context.ts'
import type { FirewallChange } from './model.ts'
import { OtherFirewall, SwitchedAlready } from './problems.ts'
import { firewallSettings } from './store.ts'
import { otherFirewall } from './status.ts'
import { tableChange } from './table.ts'

/** Enables the firewall: it has to be confirmed. */
export async function enable(on: Firewall, userId: number): Promise<Change<FirewallChange>> {
  const [settings, rules] = await Promise.all([on.queries.settings(), on.queries.rules()])
  if (settings.is_enabled) throw SwitchedAlready('The firewall is enabled already')
  const other = otherFirewall((await on.nftables.list()).foreign)
  if (other !== null)
    throw OtherFirewall(
      `${other} filters packets on this host: disable it, or go on with it and leave this firewall off`,
    )
  return tableChange(on, {
    summary: 'Enable the firewall',
    userId,
    rules,
    rows: [firewallSettings.update(settings, { is_enabled: true })],
    isRisky: true,
    reply: (done) => done,
  })
}

/** Disables the firewall; its rules stay stored. */
export async function disable(on: Firewall, userId: number): Promise<Change<FirewallChange>> {
  const settings = await on.queries.settings()
  if (!settings.is_enabled) throw SwitchedAlready('The firewall is disabled already')
  return tableChange(on, {
    summary: 'Disable the firewall',
    userId,
    rules: null,
    rows: [firewallSettings.update(settings, { is_enabled: false })],
    isRisky: false,
    reply: (done) => done,
  })
}

import type { Change } from '../../core/change.ts'
import type { Firewall } from './context.ts'
import type { FirewallChange } from './model.ts'
import { OtherFirewall, SwitchedAlready } from './problems.ts'
import { firewallSettings } from './store.ts'
import { otherFirewall } from './status.ts'
import { tableChange } from './table.ts'

/** Enables the firewall, beside ufw or firewalld where that is active: it has to be confirmed. */
export async function enable(on: Firewall, userId: number): Promise<Change<FirewallChange>> {
  const [settings, rules] = await Promise.all([on.queries.settings(), on.queries.rules()])
  if (settings.is_enabled) throw SwitchedAlready('The firewall is enabled already')
  const other = otherFirewall((await on.nftables.list()).foreign)
  if (other === 'firewalld') await assertKept(on)
  if (other === null) await assertRecognised(on)
  const driver = other ?? 'nftables'
  return tableChange(on, {
    summary: other === null ? 'Enable the firewall' : `Enable the firewall beside ${other}`,
    userId,
    rules,
    driver,
    rows: [firewallSettings.update(settings, { is_enabled: true, driver })],
    isRisky: true,
    ...(other === 'firewalld' && { details: ['firewalld is reloaded once the change is confirmed'] }),
    reply: (done) => done,
  })
}

/** Throws where firewalld runs without a table that is known as its own: it would bind what this firewall accepts. */
async function assertRecognised({ firewalld }: Firewall): Promise<void> {
  if ((await firewalld.isInstalled()) && (await firewalld.isRunning()))
    throw OtherFirewall(
      'firewalld runs with another backend than nftables: set FirewallBackend=nftables in /etc/firewalld/firewalld.conf and restart it, or stop it',
    )
}

/** Throws unless a reload of firewalld, which makes it accept what the panel admits, keeps all of its rules. */
async function assertKept({ firewalld }: Firewall): Promise<void> {
  if (!(await firewalld.isRunning()))
    throw OtherFirewall('The kernel has rules of firewalld, but firewalld does not run: start it')
  if (await firewalld.hasRuntimeRules())
    throw OtherFirewall(
      'firewalld has rules that are not permanent, and is reloaded to enable this firewall: keep them with firewall-cmd --runtime-to-permanent, or drop them with firewall-cmd --reload',
    )
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

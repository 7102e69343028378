import { detectByVersion } from '../detection.ts'
import { tool } from '../tool.ts'
import { admitMarked } from './admit-marked.ts'
import { fillSet6, hasRuntimeRules, isRunning } from './firewall-cmd.ts'

export { FirewalldFailed } from './firewall-cmd.ts'

/** The firewall of zones of many distributions, beside whose rules those of the panel take effect. */
export const firewalld = tool({
  name: 'firewalld',
  title: 'firewalld',
  packages: ['firewalld', 'netbase', 'nftables'], // it does not start without /etc/protocols, which netbase has
  isOptional: true,
  detect: detectByVersion(['firewall-offline-cmd', '--version']),
  steps: ({ host }) => ({ admitMarked: admitMarked(host) }),
  verbs: ({ host }) => ({
    /** True if its configuration is there. */
    isInstalled: async (): Promise<boolean> =>
      (await host.files.facts('/etc/firewalld/firewalld.conf')) !== undefined,
    isRunning: () => isRunning(host),
    /** True if it has rules that are not permanent, which a reload would lose. */
    hasRuntimeRules: () => hasRuntimeRules(host),
    /** Has it accept the panel's mark over IPv6 again where a reload has lost that; a no-op where it accepts no mark. */
    restoreAdmitted: () => fillSet6(host),
  }),
})

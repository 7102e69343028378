import { detectByVersion } from '../detection.ts'
import { tool } from '../tool.ts'
import { admitMarked, files } from './admit-marked.ts'

/** The Uncomplicated Firewall of Debian and Ubuntu, beside whose rules those of the panel take effect. */
export const ufw = tool({
  name: 'ufw',
  title: 'ufw',
  packages: ['ufw', 'nftables'],
  isOptional: true,
  detect: detectByVersion(['ufw', '--version']),
  steps: ({ host }) => ({ admitMarked: admitMarked(host) }),
  verbs: ({ host }) => ({
    /** True if its configuration is there. */
    isInstalled: async (): Promise<boolean> => (await host.files.facts(files[0].path)) !== undefined,
  }),
})

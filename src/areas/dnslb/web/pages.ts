import { IconArrowsSplit2 } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconArrowsSplit2,
  guide: 'dns-balancer',
  titles: {
    '/dnslb/lists': 'Lists of the DNS balancer',
    '/dnslb/rules': 'Rules of the DNS balancer',
    '/dnslb/config': 'Configuration of the DNS balancer',
    '/dnslb/others': 'Other servers of the DNS balancer',
  },
  byPath: {
    '/dnslb': async () => (await import('./ServersPage.tsx')).ServersPage,
    '/dnslb/lists': async () => (await import('./ListsPage.tsx')).ListsPage,
    '/dnslb/rules': async () => (await import('./RulesPage.tsx')).RulesPage,
    '/dnslb/config': async () => (await import('./ConfigPage.tsx')).ConfigPage,
    '/dnslb/others': async () => (await import('./PeersPage.tsx')).PeersPage,
  },
  actions: [{ title: 'Add a server to the DNS balancer', to: '/dnslb', dialog: 'create' }],
}

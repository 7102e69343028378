import { IconWorldSearch } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconWorldSearch,
  guide: 'dns',
  titles: {
    '/dns/templates': 'Templates of DNS records',
    '/dns/smart-rules': 'Smart rules of DNS',
    '/dns/replication': 'Replication of DNS',
    '/dns/sync': 'Sync of DNS zones',
  },
  byPath: {
    '/dns': async () => (await import('./ZonesPage.tsx')).ZonesPage,
    '/dns/templates': async () => (await import('./TemplatesPage.tsx')).TemplatesPage,
    '/dns/smart-rules': async () => (await import('./SmartRulesPage.tsx')).SmartRulesPage,
    '/dns/replication': async () => (await import('./ReplicationPage.tsx')).ReplicationPage,
    '/dns/sync': async () => (await import('./SyncPage.tsx')).SyncPage,
    '/dns/zones/$zone': async () => (await import('./ZonePage.tsx')).ZonePage,
  },
  actions: [{ title: 'Create a DNS zone', to: '/dns', dialog: 'create' }],
}

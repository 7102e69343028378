import { IconWorld } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconWorld,
  guide: 'first-site',
  actions: [{ title: 'New website', to: '/websites', dialog: 'new' }],
  find: async () => (await import('./find.ts')).findWebsites,
  titles: { '/websites/$id/settings': 'Settings' },
  byPath: {
    '/websites': async () => (await import('./WebsitesPage.tsx')).WebsitesPage,
    '/websites/$id': async () => (await import('./WebsitePage.tsx')).WebsitePage,
    '/websites/$id/settings': async () => (await import('./WebsiteSettingsPage.tsx')).WebsiteSettingsPage,
  },
}

import { IconDatabase } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconDatabase,
  guide: 'website-databases',
  titles: { '/websites/$id/databases': 'Databases' },
  byPath: {
    '/databases': async () => (await import('./DatabasesPage.tsx')).DatabasesPage,
    '/websites/$id/databases': async () => (await import('./WebsiteDatabasesPage.tsx')).WebsiteDatabasesPage,
  },
  actions: [{ title: 'New database', to: '/databases', dialog: 'new' }],
}

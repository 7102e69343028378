import { IconDatabaseCog } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconDatabaseCog,
  guide: 'webadmin',
  titles: { '/webadmin': 'Web admin' },
  byPath: {
    '/webadmin': async () => (await import('./WebadminPage.tsx')).WebadminPage,
  },
}

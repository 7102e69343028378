import { IconDatabaseStar } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconDatabaseStar,
  guide: 'document-database',
  titles: { '/docdb-server': 'Document server' },
  byPath: {
    '/docdb-server': async () => (await import('./DocdbServerPage.tsx')).DocdbServerPage,
  },
}

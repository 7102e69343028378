import { IconArchive } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconArchive,
  guide: 'backups',
  titles: { '/websites/$id/backups': 'Backups' },
  byPath: {
    '/backups': async () => (await import('./BackupsPage.tsx')).BackupsPage,
    '/websites/$id/backups': async () => (await import('./WebsiteBackupsPage.tsx')).WebsiteBackupsPage,
  },
}

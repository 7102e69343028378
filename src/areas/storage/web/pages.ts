import { IconDatabaseExport } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconDatabaseExport,
  guide: 'storage',
  titles: { '/settings/storage': 'Storage' },
  byPath: {
    '/settings/storage': async () => (await import('./StoragePage.tsx')).StoragePage,
  },
}

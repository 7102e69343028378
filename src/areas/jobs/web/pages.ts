import { IconListCheck } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconListCheck,
  guide: 'jobs',
  titles: { '/jobs': 'Jobs' },
  byPath: {
    '/jobs': async () => (await import('./JobsPage.tsx')).JobsPage,
    '/jobs/$id': async () => (await import('./JobPage.tsx')).JobPage,
  },
}

import { IconBolt } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconBolt,
  guide: 'page-cache',
  titles: { '/websites/$id/page-cache': 'Page cache' },
  byPath: {
    '/websites/$id/page-cache': async () => (await import('./PageCachePage.tsx')).PageCachePage,
  },
}

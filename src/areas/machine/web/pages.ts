import { IconServerCog } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconServerCog,
  guide: 'host',
  titles: { '/settings/host': 'Host' },
  byPath: {
    '/settings/host': async () => (await import('./MachinePage.tsx')).MachinePage,
  },
}

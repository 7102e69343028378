import { IconChartLine } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconChartLine,
  guide: 'traffic',
  titles: { '/websites/$id/traffic': 'Traffic' },
  byPath: {
    '/websites/$id/traffic': async () => (await import('./TrafficPage.tsx')).TrafficPage,
  },
}

import { IconCpu } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconCpu,
  guide: 'host',
  byPath: {
    '/processes': async () => (await import('./ProcessesPage.tsx')).ProcessesPage,
  },
}

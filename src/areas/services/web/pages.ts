import { IconServer2 } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconServer2,
  guide: 'services',
  byPath: {
    '/services': async () => (await import('./ServicesPage.tsx')).ServicesPage,
    '/services/$name': async () => (await import('./ServicePage.tsx')).ServicePage,
  },
}

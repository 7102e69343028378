import { IconServer } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconServer,
  byPath: {
    '/system': async () => (await import('./SystemPage.tsx')).SystemPage,
  },
}

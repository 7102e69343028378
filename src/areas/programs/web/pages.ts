import { IconPackage } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconPackage,
  guide: 'software',
  byPath: {
    '/programs': async () => (await import('./ProgramsPage.tsx')).ProgramsPage,
  },
}

import { IconPackage } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconPackage,
  byPath: {
    '/programs': async () => (await import('./ProgramsPage.tsx')).ProgramsPage,
  },
}

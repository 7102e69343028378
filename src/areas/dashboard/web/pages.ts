import { IconLayoutDashboard } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconLayoutDashboard,
  guide: 'operating',
  byPath: {
    '/dashboard': async () => (await import('./DashboardPage.tsx')).DashboardPage,
  },
}

import { IconRefreshDot } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconRefreshDot,
  guide: 'updates',
  byPath: {
    '/updates': async () => (await import('./UpdatesPage.tsx')).UpdatesPage,
  },
}

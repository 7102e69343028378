import { IconUserCircle } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconUserCircle,
  guide: 'account',
  titles: { '/account': 'Account' },
  byPath: {
    '/account': async () => (await import('./AccountPage.tsx')).AccountPage,
  },
}

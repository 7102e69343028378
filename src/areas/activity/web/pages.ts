import { IconHistory } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconHistory,
  guide: 'changes',
  titles: { '/account/activity': 'My activity' },
  byPath: {
    '/activity': async () => (await import('./ActivityPage.tsx')).ActivityPage,
    '/account/activity': async () => (await import('./OwnActivityPage.tsx')).OwnActivityPage,
  },
}

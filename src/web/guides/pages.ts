import { IconBook } from '@tabler/icons-react'
import type { AreaPages } from '../area-pages.ts'

export const pages: AreaPages = {
  icon: IconBook,
  titles: { '/guides': 'Guides' },
  byPath: {
    '/guides': async () => (await import('./GuidesPage.tsx')).GuidesPage,
    '/guides/$name': async () => (await import('./GuidePage.tsx')).GuidePage,
  },
}

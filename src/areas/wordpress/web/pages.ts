import { IconApps } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconApps,
  guide: 'wordpress',
  titles: { '/wordpress': 'WordPress' },
  byPath: {
    '/wordpress': async () => (await import('./WordPressListPage.tsx')).WordPressListPage,
    '/wordpress/$id': async () => (await import('./WordPressPage.tsx')).WordPressPage,
  },
}

import { IconApps } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconApps,
  guide: 'applications',
  titles: { '/applications': 'Applications' },
  byPath: {
    '/applications': async () => (await import('./ApplicationsPage.tsx')).ApplicationsPage,
  },
  actions: [{ title: 'Install WordPress', to: '/applications', dialog: 'wordpress' }],
}

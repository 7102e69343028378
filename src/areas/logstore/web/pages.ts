import { IconListSearch } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconListSearch,
  guide: 'log-store',
  titles: { '/logs/sources': 'Sources of logs', '/logs/retention': 'Retention of logs' },
  byPath: {
    '/logs': async () => (await import('./ExplorerPage.tsx')).ExplorerPage,
    '/logs/sources': async () => (await import('./SourcesPage.tsx')).SourcesPage,
    '/logs/retention': async () => (await import('./RetentionPage.tsx')).RetentionPage,
  },
  actions: [{ title: 'Add a log source', to: '/logs/sources', dialog: 'create' }],
}

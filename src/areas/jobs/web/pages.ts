import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  titles: { '/jobs': 'Jobs' },
  byPath: {
    '/jobs': async () => (await import('./JobsPage.tsx')).JobsPage,
    '/jobs/$id': async () => (await import('./JobPage.tsx')).JobPage,
  },
}

import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  guide: 'webadmin',
  titles: { '/sqldb/webadmin': 'Web admin' },
  byPath: {
    '/sqldb/webadmin': async () => (await import('./WebadminPage.tsx')).WebadminPage,
  },
}

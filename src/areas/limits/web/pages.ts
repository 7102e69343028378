import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  guide: 'limits',
  titles: { '/users/limits': 'Limits' },
  byPath: {
    '/users/limits': async () => (await import('./LimitsPage.tsx')).LimitsPage,
  },
}

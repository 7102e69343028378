import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  titles: { '/account': 'Account' },
  byPath: {
    '/account': async () => (await import('./AccountPage.tsx')).AccountPage,
  },
}

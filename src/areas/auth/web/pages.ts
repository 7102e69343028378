import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  byPath: {
    '/account': async () => (await import('./AccountPage.tsx')).AccountPage,
  },
}

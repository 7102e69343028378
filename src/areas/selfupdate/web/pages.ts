import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  guide: 'panel-updates',
  titles: { '/settings/updates': 'Panel updates' },
  byPath: {
    '/settings/updates': async () => (await import('./SelfUpdatePage.tsx')).SelfUpdatePage,
  },
}

import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  guide: 'php-and-proxies',
  titles: { '/settings/php': 'PHP', '/settings/php/$version': 'php.ini' },
  byPath: {
    '/settings/php': async () => (await import('./PhpPage.tsx')).PhpPage,
    '/settings/php/$version': async () => (await import('./PhpConfigPage.tsx')).PhpConfigPage,
  },
}

import { IconWorldWww } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconWorldWww,
  guide: 'web-server',
  titles: { '/settings/webserver': 'Web server' },
  byPath: {
    '/settings/webserver': async () => (await import('./WebServerPage.tsx')).WebServerPage,
  },
}

import { IconLicense } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconLicense,
  guide: 'operating',
  titles: { '/settings/licence': 'Licence' },
  byPath: {
    '/settings/licence': async () => (await import('./LicencePage.tsx')).LicencePage,
  },
}

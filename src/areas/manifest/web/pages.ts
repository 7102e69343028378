import { IconFileCode } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconFileCode,
  guide: 'manifest',
  titles: { '/settings/manifest': 'Manifest' },
  byPath: {
    '/settings/manifest': async () => (await import('./ManifestPage.tsx')).ManifestPage,
  },
}

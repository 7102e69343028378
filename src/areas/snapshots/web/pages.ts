import { IconCamera } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconCamera,
  guide: 'snapshots',
  titles: { '/settings/snapshots': 'Snapshots' },
  byPath: {
    '/settings/snapshots': async () => (await import('./SnapshotsPage.tsx')).SnapshotsPage,
  },
}

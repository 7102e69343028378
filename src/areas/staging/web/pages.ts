import { IconCopy } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconCopy,
  guide: 'staging',
  titles: { '/websites/$id/staging': 'Staging' },
  byPath: {
    '/websites/$id/staging': async () => (await import('./StagingPage.tsx')).StagingPage,
  },
}

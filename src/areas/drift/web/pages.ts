import { IconGitCompare } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconGitCompare,
  guide: 'drift',
  titles: { '/settings/drift': 'Drift' },
  byPath: {
    '/settings/drift': async () => (await import('./DriftPage.tsx')).DriftPage,
  },
}

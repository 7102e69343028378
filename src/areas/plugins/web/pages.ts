import { IconPuzzle } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconPuzzle,
  guide: 'software',
  byPath: {
    '/plugins': async () => (await import('./PluginsPage.tsx')).PluginsPage,
  },
}

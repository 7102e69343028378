import { IconSettings } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconSettings,
  guide: 'operating',
  byPath: {
    '/settings': async () => (await import('./SettingsPage.tsx')).SettingsPage,
  },
}

import { IconArchive } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconArchive,
  guide: 'backups',
  titles: { '/backups/settings': 'Backup settings' },
  byPath: {
    '/backups/settings': async () => (await import('./BackupSettingsPage.tsx')).BackupSettingsPage,
  },
}

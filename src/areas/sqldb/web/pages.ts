import { IconServerBolt } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconServerBolt,
  guide: 'databases',
  titles: {
    '/sqldb': 'SQL server',
    '/sqldb/processes': 'Connections',
    '/sqldb/slow-log': 'Slow statements',
    '/sqldb/tuner': 'Advice',
    '/sqldb/settings': 'Settings',
  },
  byPath: {
    '/sqldb': async () => (await import('./OverviewPage.tsx')).OverviewPage,
    '/sqldb/processes': async () => (await import('./ProcessesPage.tsx')).ProcessesPage,
    '/sqldb/slow-log': async () => (await import('./SlowLogPage.tsx')).SlowLogPage,
    '/sqldb/tuner': async () => (await import('./TunerPage.tsx')).TunerPage,
    '/sqldb/settings': async () => (await import('./SettingsPage.tsx')).SettingsPage,
  },
}

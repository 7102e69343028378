import { IconReplace } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconReplace,
  guide: 'sql-replication',
  titles: { '/sqldb/replication': 'Replication of the SQL server' },
  byPath: {
    '/sqldb/replication': async () => (await import('./ReplicationPage.tsx')).ReplicationPage,
  },
}

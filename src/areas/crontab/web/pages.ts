import { IconClock } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconClock,
  guide: 'crontab',
  titles: { '/websites/$id/crontab': 'Crontab' },
  byPath: {
    '/websites/$id/crontab': async () => (await import('./CrontabPage.tsx')).CrontabPage,
  },
}

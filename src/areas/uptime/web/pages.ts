import { IconActivityHeartbeat } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconActivityHeartbeat,
  guide: 'uptime',
  byPath: {
    '/uptime': async () => (await import('./UptimePage.tsx')).UptimePage,
    '/uptime/$id': async () => (await import('./MonitorPage.tsx')).MonitorPage,
  },
  actions: [{ title: 'Add a monitor', to: '/uptime', dialog: 'create' }],
}

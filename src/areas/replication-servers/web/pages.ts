import { IconCopy } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconCopy,
  guide: 'replication-servers',
  byPath: {
    '/replication-servers': async () => (await import('./ServersPage.tsx')).ServersPage,
    '/replication-servers/$id': async () => (await import('./ServerPage.tsx')).ServerPage,
  },
  actions: [{ title: 'Add a replication server', to: '/replication-servers', dialog: 'create' }],
}

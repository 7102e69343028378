import { IconBox } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconBox,
  guide: 'containers',
  titles: { '/containers/backups': 'Backups of containers' },
  byPath: {
    '/containers': async () => (await import('./ContainersPage.tsx')).ContainersPage,
    '/containers/backups': async () => (await import('./BackupsPage.tsx')).BackupsPage,
    '/containers/list/$name': async () => (await import('./ContainerPage.tsx')).ContainerPage,
  },
  actions: [{ title: 'Create a container', to: '/containers', dialog: 'create' }],
}

import { IconUsers } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconUsers,
  guide: 'ssh',
  actions: [{ title: 'New user', to: '/users', dialog: 'new' }],
  find: async () => (await import('./find.ts')).findUsers,
  byPath: {
    '/users': async () => (await import('./UsersPage.tsx')).UsersPage,
    '/users/$uid': async () => (await import('./UserPage.tsx')).UserPage,
  },
}

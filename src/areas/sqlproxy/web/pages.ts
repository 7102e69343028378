import { IconArrowsSplit } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconArrowsSplit,
  guide: 'sql-proxy',
  titles: {
    '/sqlproxy/users': 'Users of the SQL proxy',
    '/sqlproxy/rules': 'Query rules of the SQL proxy',
    '/sqlproxy/address': 'Virtual address',
    '/sqlproxy/statistics': 'Statistics of the SQL proxy',
  },
  byPath: {
    '/sqlproxy': async () => (await import('./ServersPage.tsx')).ServersPage,
    '/sqlproxy/users': async () => (await import('./UsersPage.tsx')).UsersPage,
    '/sqlproxy/rules': async () => (await import('./RulesPage.tsx')).RulesPage,
    '/sqlproxy/address': async () => (await import('./AddressPage.tsx')).AddressPage,
    '/sqlproxy/statistics': async () => (await import('./StatisticsPage.tsx')).StatisticsPage,
  },
}

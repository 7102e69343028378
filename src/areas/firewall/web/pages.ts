import { IconWall } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconWall,
  guide: 'firewall',
  titles: { '/firewall/bans': 'Bans', '/firewall/others': 'Other rules' },
  byPath: {
    '/firewall': async () => (await import('./RulesPage.tsx')).RulesPage,
    '/firewall/bans': async () => (await import('./BansPage.tsx')).BansPage,
    '/firewall/others': async () => (await import('./OthersPage.tsx')).OthersPage,
  },
}

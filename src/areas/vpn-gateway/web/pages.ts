import { IconNetwork } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconNetwork,
  guide: 'vpn',
  titles: {
    '/vpn/users': 'Users and keys of the VPN',
    '/vpn/routes': 'Routes of the VPN',
    '/vpn/access': 'Access rules of the VPN',
    '/vpn/settings': 'Settings of the VPN',
  },
  byPath: {
    '/vpn': async () => (await import('./NodesPage.tsx')).NodesPage,
    '/vpn/users': async () => (await import('./UsersPage.tsx')).UsersPage,
    '/vpn/routes': async () => (await import('./RoutesPage.tsx')).RoutesPage,
    '/vpn/access': async () => (await import('./AccessPage.tsx')).AccessPage,
    '/vpn/settings': async () => (await import('./SettingsPage.tsx')).SettingsPage,
  },
}

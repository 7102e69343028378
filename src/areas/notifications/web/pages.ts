import { IconBell } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconBell,
  guide: 'notifications',
  titles: { '/notifications': 'Notifications' },
  byPath: {
    '/notifications': async () => (await import('./NotificationsPage.tsx')).NotificationsPage,
    '/notifications/delivery': async () => (await import('./DeliveryPage.tsx')).DeliveryPage,
  },
}

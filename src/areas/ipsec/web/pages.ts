import { IconTransferVertical } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconTransferVertical,
  guide: 'ipsec',
  byPath: { '/ipsec': async () => (await import('./IpsecPage.tsx')).IpsecPage },
  actions: [{ title: 'Add an IPsec tunnel', to: '/ipsec', dialog: 'create' }],
}

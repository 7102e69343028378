import { IconNetwork } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconNetwork,
  guide: 'network-tools',
  byPath: { '/nettools': async () => (await import('./NettoolsPage.tsx')).NettoolsPage },
}

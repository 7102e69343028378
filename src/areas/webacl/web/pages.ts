import { IconShieldHalf } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconShieldHalf,
  guide: 'web-access-control',
  byPath: { '/webacl': async () => (await import('./WebaclPage.tsx')).WebaclPage },
}

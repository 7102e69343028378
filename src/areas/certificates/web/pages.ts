import { IconCertificate } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconCertificate,
  guide: 'certificates',
  titles: { '/websites/$id/certificate': 'Certificate', '/settings/certificate': 'Certificate of the panel' },
  byPath: {
    '/settings/certificate': async () => (await import('./PanelCertificatePage.tsx')).PanelCertificatePage,
    '/websites/$id/certificate': async () => (await import('./CertificatePage.tsx')).CertificatePage,
  },
}

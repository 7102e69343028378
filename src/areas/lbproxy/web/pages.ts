import { IconLoadBalancer } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconLoadBalancer,
  guide: 'lbproxy',
  titles: {
    '/lbproxy/numbers': 'Statistics',
    '/lbproxy/config': 'Configuration',
    '/lbproxy/certificates': 'Certificates',
    '/lbproxy/backups': 'Backups',
  },
  byPath: {
    '/lbproxy': async () => (await import('./OverviewPage.tsx')).OverviewPage,
    '/lbproxy/numbers': async () => (await import('./NumbersPage.tsx')).NumbersPage,
    '/lbproxy/config': async () => (await import('./ConfigPage.tsx')).ConfigPage,
    '/lbproxy/certificates': async () => (await import('./CertificatesPage.tsx')).CertificatesPage,
    '/lbproxy/backups': async () => (await import('./BackupsPage.tsx')).BackupsPage,
  },
}

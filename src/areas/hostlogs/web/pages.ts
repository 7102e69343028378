import { IconFileExport } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconFileExport,
  guide: 'remote-logging',
  titles: { '/settings/remote-logging': 'Remote logging', '/settings/ssh-audit': 'SSH audit' },
  byPath: {
    '/settings/remote-logging': async () => (await import('./RemoteLoggingPage.tsx')).RemoteLoggingPage,
    '/settings/ssh-audit': async () => (await import('./SshAuditPage.tsx')).SshAuditPage,
  },
}

import { IconMail } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconMail,
  guide: 'mail',
  titles: { '/settings/mail': 'Mail relay' },
  byPath: {
    '/settings/mail': async () => (await import('./MailPage.tsx')).MailPage,
  },
}

import { IconMailbox } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconMailbox,
  guide: 'mailbox-backup',
  titles: { '/settings/mailboxes': 'Mailbox backup' },
  byPath: {
    '/settings/mailboxes': async () => (await import('./MailboxesPage.tsx')).MailboxesPage,
    '/settings/mailboxes/$email': async () => (await import('./MailboxPage.tsx')).MailboxPage,
  },
}

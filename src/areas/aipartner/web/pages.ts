import { IconMessageChatbot } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconMessageChatbot,
  guide: 'partner',
  titles: { '/aipartner/gateway': 'Gateway and bot of the AI partner' },
  byPath: {
    '/aipartner': async () => (await import('./ChatPage.tsx')).ChatPage,
    '/aipartner/gateway': async () => (await import('./GatewayPage.tsx')).GatewayPage,
  },
}

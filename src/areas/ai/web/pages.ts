import { IconMessageChatbot } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconMessageChatbot,
  guide: 'assistant',
  titles: {
    '/assistant/vault': 'Vault of the assistant',
    '/assistant/channels': 'Channels of the assistant',
    '/assistant/console': 'Console of the assistant',
    '/assistant/settings': 'Settings of the assistant',
  },
  byPath: {
    '/assistant': async () => (await import('./ChatPage.tsx')).ChatPage,
    '/assistant/vault': async () => (await import('./VaultPage.tsx')).VaultPage,
    '/assistant/channels': async () => (await import('./ChannelsPage.tsx')).ChannelsPage,
    '/assistant/console': async () => (await import('./ConsolePage.tsx')).ConsolePage,
    '/assistant/settings': async () => (await import('./SettingsPage.tsx')).SettingsPage,
  },
}

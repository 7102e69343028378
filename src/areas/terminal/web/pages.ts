import { IconTerminal2 } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconTerminal2,
  guide: 'terminal',
  byPath: {
    '/terminal': async () => (await import('./TerminalPage.tsx')).TerminalPage,
  },
}

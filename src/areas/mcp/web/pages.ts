import { IconRobot } from '@tabler/icons-react'
import type { AreaPages } from '../../../web/area-pages.ts'

export const pages: AreaPages = {
  icon: IconRobot,
  guide: 'mcp',
  byPath: {
    '/mcp': async () => (await import('./McpPage.tsx')).McpPage,
    '/mcp/approvals': async () => (await import('./ApprovalsPage.tsx')).ApprovalsPage,
  },
}

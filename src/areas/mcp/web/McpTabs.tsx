import { PageTabs } from '../../../web/kit/PageTabs.tsx'

const tabs = [
  { to: '/mcp', label: 'Keys' },
  { to: '/mcp/approvals', label: 'Approvals' },
]

/** The pages of the MCP server. */
export const McpTabs = () => <PageTabs label="Pages of the MCP server" tabs={tabs} />

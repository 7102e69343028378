import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Page } from '../../../web/kit/Page.tsx'
import { Certificate } from './Certificate.tsx'
import { ClientSettings } from './ClientSettings.tsx'
import { McpKeys } from './McpKeys.tsx'
import { McpTabs } from './McpTabs.tsx'
import { NewMcpKey } from './NewMcpKey.tsx'

/** The keys by which agents use the panel, what they allow, and how clients are set up. */
export function McpPage() {
  const [isCreating, setCreating] = useState(false)
  return (
    <Page
      title="MCP server"
      about={
        <Text size="sm">
          Agents use the panel through the Model Context Protocol. A key never allows more than its owner may
          do; scopes, read-only and a budget limit it further.
        </Text>
      }
      actions={<Button onClick={() => setCreating(true)}>New key</Button>}
    >
      <McpTabs />
      <McpKeys />
      <ClientSettings />
      <Certificate />
      {isCreating && <NewMcpKey onClose={() => setCreating(false)} />}
    </Page>
  )
}

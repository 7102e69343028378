import { Text } from '@mantine/core'
import { Copyable } from '../../../web/kit/Copyable.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { SectionTabs } from '../../../web/kit/SectionTabs.tsx'

/** What common clients need to reach this panel; the key is put in by the reader. */
export function ClientSettings() {
  const tabs = snippetsFor(`${location.origin}/api/mcp`).map(({ label, text }) => ({
    name: label.replaceAll(' ', '-'), // an id
    label,
    content: <Copyable value={text} label={`Settings for ${label}`} />,
  }))
  return (
    <SectionCard title="Set up a client">
      <Text size="sm">Put the key in the place of mcp_KEY.</Text>
      <SectionTabs label="Clients" tabs={tabs} />
    </SectionCard>
  )
}

function snippetsFor(url: string) {
  const headers = { Authorization: 'Bearer mcp_KEY' }
  const json = (value: object) => JSON.stringify(value, null, 2)
  return [
    {
      label: 'Claude Code',
      text: `claude mcp add --transport http hostreeve ${url} --header "Authorization: Bearer mcp_KEY"`,
    },
    { label: 'Cursor', text: json({ mcpServers: { hostreeve: { url, headers } } }) },
    { label: 'VS Code', text: json({ servers: { hostreeve: { type: 'http', url, headers } } }) },
    {
      label: 'Others',
      text: `Streamable HTTP\n${url}\nAuthorization: Bearer mcp_KEY`,
    },
  ]
}

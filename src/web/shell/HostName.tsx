import { Text } from '@mantine/core'
import { useHost } from './host.ts'

/** The host that the panel administers, and the Linux user that it runs as. */
export function HostName() {
  const { data } = useHost()
  if (!data) return null
  const { hostname, panel } = data
  return (
    <Text size="sm" c="dimmed" truncate title={`${hostname}, running as ${panel.user}`}>
      {hostname} · {panel.user}
    </Text>
  )
}

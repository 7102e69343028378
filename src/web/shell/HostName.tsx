import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { system } from '../../areas/system/web/api.ts'
import { run } from '../client.ts'

/** The host that the panel administers, and the Linux user that it runs as. */
export function HostName() {
  const { data } = useQuery({
    queryKey: ['host'],
    queryFn: ({ signal }) => run(system.getInfo(), signal),
    staleTime: Infinity,
  })
  if (!data) return null
  const { hostname, panel } = data
  return (
    <Text size="sm" c="dimmed" truncate title={`${hostname}, running as ${panel.user}`}>
      {hostname} · {panel.user}
    </Text>
  )
}

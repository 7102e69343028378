import { Stack, Text } from '@mantine/core'
import { Copyable } from '../../../web/kit/Copyable.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { useIps, usePublicIp } from './queries.ts'

/** The addresses of the host, and that of the caller. */
export function AddressList() {
  const found = usePublicIp()
  const own = useIps()
  if (!found.data)
    return found.error ? (
      <Failure error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <Loading rows={2} />
    )
  const { server_ipv4: v4, server_ipv6: v6, server_info: source, client } = found.data
  return (
    <Stack gap="sm">
      <Address label="Public IPv4" value={v4} />
      <Address label="Public IPv6" value={v6} />
      <Text size="sm" c="dimmed">
        Known from: {source}.
        {own.data && own.data.length > 0 && ` Addresses of this host: ${own.data.join(', ')}.`} You connect
        from {client}.
      </Text>
    </Stack>
  )
}

function Address({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      {value === '' ? <Text size="sm">None found</Text> : <Copyable value={value} label={label} />}
    </div>
  )
}

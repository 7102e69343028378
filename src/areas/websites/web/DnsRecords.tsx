import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { Copyable } from '../../../web/kit/Copyable.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { Website, WebsiteDns } from '../model.ts'
import { useWebsiteDns } from './queries.ts'

/** The DNS records that lead to this host, and where the domain leads today. */
export function DnsRecords({ website }: { readonly website: Website }) {
  const { data, error, refetch, isFetching } = useWebsiteDns(website.id)
  return (
    <Card withBorder radius="lg" p="lg">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          DNS
        </Title>
        <Button
          size="compact-sm"
          variant="subtle"
          loading={isFetching && data !== undefined}
          onClick={() => void refetch()}
        >
          Check again
        </Button>
      </Group>
      {data && <Records domain={website.domain} dns={data} />}
      {!data && error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading rows={2} />}
    </Card>
  )
}

function Records({ domain, dns }: { readonly domain: string; readonly dns: WebsiteDns }) {
  const records = [
    ...dns.ipv4.map((address) => ({ type: 'A', address })),
    ...dns.ipv6.map((address) => ({ type: 'AAAA', address })),
  ]
  return (
    <Stack gap="xs">
      <Text size="sm" c={dns.state === 'here' ? undefined : 'dimmed'} role="status">
        {sentenceOf(domain, dns)}
      </Text>
      {records.map(({ type, address }) => (
        <Copyable key={address} value={`${domain}. ${type} ${address}`} label={`${type} record`} />
      ))}
      {!dns.is_public && <Text size="sm">{privateSentence(records.length)}</Text>}
      <Text size="sm" c="dimmed">
        An alias needs the same records.
      </Text>
    </Stack>
  )
}

const privateSentence = (count: number): string =>
  count === 0
    ? 'This host has no network address, so no record can lead to it.'
    : 'This host has only private addresses. Use the public address of the router that forwards to it.'

function sentenceOf(domain: string, { state, resolves_to: addresses, is_public }: WebsiteDns): string {
  const list = addresses.join(', ')
  if (state === 'here') return `${domain} points to this host.`
  if (state === 'unresolved')
    return `${domain} does not resolve yet. Add the records where its DNS is managed.`
  if (!is_public) return `${domain} resolves to ${list}.`
  if (state === 'elsewhere') return `${domain} resolves to ${list}, which is not this host.`
  return `${domain} resolves to ${list}; not all of these are this host.`
}

import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { Failure } from '../../../web/kit/states.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { useExplain } from './queries.ts'

/** Checks why a certificate authority would refuse. */
export function Checks({ id }: { readonly id: number }) {
  const explain = useExplain(id)
  const found = explain.data?.checks ?? []
  const sorted = found.toSorted((one, other) => Number(one.ok) - Number(other.ok))
  return (
    <Card withBorder radius="lg" p="lg">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            Checks
          </Title>
          <Button variant="default" size="xs" loading={explain.isPending} onClick={() => explain.mutate()}>
            Run the checks
          </Button>
        </Group>
        {explain.error && <Failure error={explain.error} />}
        <Text size="sm" c="dimmed">
          Whether the names lead here, port 80 is reachable, the challenge is served, and CAA allows it; of an
          uploaded certificate, its chain.
        </Text>
        {sorted.map(({ check, name, ok, message }) => (
          <Group key={`${check} ${name}`} gap="sm" wrap="nowrap" align="baseline">
            <StateBadge state={ok ? 'ok' : 'failed'} />
            <Text size="sm" className="anywhere">
              {message}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  )
}

import { Group, Text } from '@mantine/core'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { useLimits } from './queries.ts'
import { usageRows } from './limit-text.ts'

/** What a hosting user uses, of what they may; nothing for a user without a Linux account. */
export function OwnUsage({ uid }: { readonly uid: number }) {
  const { data } = useLimits()
  const own = data?.users.find(({ user_id }) => user_id === uid)
  if (own === undefined) return null
  return (
    <SectionCard title="Usage">
      {own.package !== null && <Text size="sm">Package {own.package}</Text>}
      {usageRows(own).map(([name, text]) => (
        <Group key={name} justify="space-between">
          <Text size="sm">{name}</Text>
          <Text size="sm" fw={600}>
            {text}
          </Text>
        </Group>
      ))}
    </SectionCard>
  )
}

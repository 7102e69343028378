import { Card, Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A card of the dashboard with its heading. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <Card withBorder radius="lg" p="lg" component="section" aria-label={title}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Card>
  )
}

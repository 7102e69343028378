import { Card, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** One subject of a page, with its title, in a card. */
export const SectionCard = ({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) => (
  <Card component="section" aria-label={title} withBorder radius="lg" p="lg">
    <Stack gap="md">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  </Card>
)

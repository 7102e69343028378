import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** One line of what is known of a certificate. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <Group gap="sm" wrap="nowrap" align="baseline">
    <Text size="sm" c="dimmed" w={72} flex="none">
      {name}
    </Text>
    <Text size="sm" component="div" className="anywhere">
      {children}
    </Text>
  </Group>
)

import { Group, Stack, Text } from '@mantine/core'
import { LinkButton } from '../../../web/kit/LinkButton.tsx'
import type { FirstStep } from '../model.ts'
import { Section } from './Section.tsx'

/** The first steps that are left; nothing once all are done. */
export function FirstSteps({ steps }: { readonly steps: readonly FirstStep[] }) {
  if (steps.length === 0) return null
  return (
    <Section title="First steps">
      <Stack gap="md" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(({ name, title, detail, link }) => (
          <Group key={name} component="li" justify="space-between" gap="xs">
            <div>
              <Text size="sm" fw={600}>
                {title}
              </Text>
              <Text size="sm" c="dimmed">
                {detail}
              </Text>
            </div>
            <LinkButton to={link} size="xs" variant="light">
              {title}
            </LinkButton>
          </Group>
        ))}
      </Stack>
    </Section>
  )
}

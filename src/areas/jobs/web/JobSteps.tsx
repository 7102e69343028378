import { Group, List, Text } from '@mantine/core'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import type { JobWithSteps } from '../model.ts'

/** The steps of a job's change, each with its state. */
export function JobSteps({
  steps,
  isOver,
}: {
  readonly steps: JobWithSteps['steps']
  readonly isOver: boolean
}) {
  return (
    <List type="ordered" spacing="xs" size="sm" aria-label="Steps">
      {steps.map(({ title, state }, index) => (
        <List.Item key={index}>
          <Group gap="xs" wrap="wrap">
            <Text size="sm" className="anywhere">
              {title}
            </Text>
            <StateBadge state={isOver && state === 'waiting' ? 'not started' : state} />
          </Group>
        </List.Item>
      ))}
    </List>
  )
}

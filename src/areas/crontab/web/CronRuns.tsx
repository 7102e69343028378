import { Group, Stack, Text } from '@mantine/core'
import { LogLines } from '../../../web/kit/LogLines.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import type { Crontab } from '../model.ts'

/** The last runs of a crontab with their exit status and output. */
export function CronRuns({ runs }: { readonly runs: Crontab['runs'] }) {
  if (runs.length === 0) return <Text size="sm">Nothing has run yet.</Text>
  return (
    <Stack gap="md">
      {runs.map((each) => (
        <Stack key={`${each.started_at} ${each.line}`} gap={4}>
          <Group gap="xs">
            <StateBadge state={each.exit_status === 0 ? 'succeeded' : 'failed'} />
            <Text size="sm">
              {each.line === null ? 'A line that was changed since' : `Line ${each.line}`}
            </Text>
            <Text size="sm" c="dimmed">
              <Moment time={each.started_at} />
              {each.started_by === 'hand' ? ', by hand' : ''}
              {each.exit_status === 0 ? '' : `, exit status ${each.exit_status}`}
            </Text>
          </Group>
          {each.output !== '' && (
            <LogLines
              label={`Output of the run at ${each.started_at}`}
              lines={each.output.trimEnd().split('\n')}
            />
          )}
        </Stack>
      ))}
    </Stack>
  )
}

import { Button, Group, Stack, Text } from '@mantine/core'
import { Moment } from '../../../web/kit/Moment.tsx'
import type { Crontab } from '../model.ts'

interface CronJobsProps {
  readonly jobs: Crontab['jobs']
  readonly timeZone: string
  readonly isStarting: boolean
  readonly onRun: (line: number) => void
}

/** The jobs of a crontab with their next runs; each can be run at once. */
export const CronJobs = ({ jobs, timeZone, isStarting, onRun }: CronJobsProps) => (
  <Stack gap="md">
    <Text size="sm">Schedules are in the time zone of the host, {timeZone}.</Text>
    {jobs.map(({ line, schedule, command, next_runs: next }) => (
      <Group
        key={line}
        justify="space-between"
        align="flex-start"
        wrap="nowrap"
        role="group"
        aria-label={`Line ${line}`}
      >
        <Stack gap={2}>
          <Text size="sm" ff="monospace" className="anywhere">
            {schedule} {command}
          </Text>
          <Group gap="xs">
            {next.length === 0 && <Text size="xs">When the host starts</Text>}
            {next.map((time) => (
              <Text key={time} span size="xs">
                <Moment time={time} />
              </Text>
            ))}
          </Group>
        </Stack>
        <Button
          variant="default"
          size="compact-sm"
          flex="none"
          disabled={isStarting}
          aria-label={`Run now: line ${line}`}
          onClick={() => onRun(line)}
        >
          Run now
        </Button>
      </Group>
    ))}
  </Stack>
)

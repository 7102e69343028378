import { Alert, Box, Group, Progress, Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import { CancelJob } from './CancelJob.tsx'
import { useJobFeed } from './job-feed.ts'
import { LogLines } from './LogLines.tsx'
import { Failure } from './states.tsx'
import { StateBadge } from './StateBadge.tsx'

interface JobProgressProps {
  readonly jobId: number
  readonly onEnd?: (state: string) => void
}

/** The progress and output of a job, with a button that stops it. */
export function JobProgress({ jobId, onEnd }: JobProgressProps) {
  const feed = useJobFeed(jobId)
  useEffect(() => {
    if (feed.state) onEnd?.(feed.state)
  }, [feed.state])
  const isOver = feed.state !== undefined
  const percent = feed.state === 'succeeded' ? 100 : (feed.percent ?? 100)
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap" align="center">
        <Text size="sm" aria-live="polite" className="anywhere">
          {feed.message || (isOver ? 'Done' : 'Working …')}
        </Text>
        {isOver && (
          <Box flex="none">
            <StateBadge state={feed.state ?? ''} />
          </Box>
        )}
      </Group>
      <Progress.Root size="lg">
        <Progress.Section
          value={percent}
          animated={!isOver}
          striped={!isOver}
          color={feed.state && feed.state !== 'succeeded' ? 'red' : feed.state ? 'green' : 'indigo'}
          aria-label="Progress of the job"
        />
      </Progress.Root>
      {feed.isLost && (
        <Alert color="orange">The connection was lost. The job continues; reconnecting …</Alert>
      )}
      {feed.error !== undefined && <Failure error={feed.error} />}
      {!isOver && <CancelJob jobId={jobId} />}
      {feed.lines.length > 0 && (
        <LogLines lines={feed.lines} label="Output of the job" isFollowing={!isOver} />
      )}
    </Stack>
  )
}

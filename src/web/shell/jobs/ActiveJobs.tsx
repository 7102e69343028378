import { Anchor, Progress, ScrollArea, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Job } from '../../../areas/jobs/model.ts'
import { CancelJob } from '../../kit/CancelJob.tsx'
import { Loading } from '../../kit/states.tsx'

interface ActiveJobsProps {
  readonly jobs: readonly Job[] | undefined
  readonly onLeave: () => void
}

/** The jobs that run or wait, each with its progress, a link to it and its cancellation. */
export function ActiveJobs({ jobs, onLeave }: ActiveJobsProps) {
  return (
    <Stack gap="md">
      {jobs === undefined && <Loading rows={2} />}
      {jobs?.length === 0 && <Text size="sm">No job is running.</Text>}
      {jobs && jobs.length > 0 && (
        <ScrollArea.Autosize mah="60vh" type="auto">
          <Stack gap="md">
            {jobs.map((job) => (
              <ActiveJob key={job.id} job={job} onLeave={onLeave} />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      )}
      <JobLink to="/jobs" onLeave={onLeave}>
        All jobs
      </JobLink>
    </Stack>
  )
}

function ActiveJob({ job, onLeave }: { readonly job: Job; readonly onLeave: () => void }) {
  const title = job.title || `Job ${job.id}`
  const isQueued = job.state === 'queued'
  return (
    <Stack gap={6}>
      <JobLink to={`/jobs/${job.id}`} onLeave={onLeave}>
        {title}
      </JobLink>
      <Progress.Root size="md">
        <Progress.Section
          value={isQueued ? 0 : (job.percent ?? 100)}
          animated={!isQueued}
          striped={!isQueued}
          aria-label={`Progress of ${title}`}
        />
      </Progress.Root>
      <Text size="xs" c="dimmed" lineClamp={2} className="anywhere">
        {isQueued ? 'Waiting' : job.message}
      </Text>
      <div>
        <CancelJob jobId={job.id} />
      </div>
    </Stack>
  )
}

interface JobLinkProps {
  readonly to: string
  readonly onLeave: () => void
  readonly children: string
}

const JobLink = ({ to, onLeave, children }: JobLinkProps) => (
  <Anchor
    size="sm"
    fw={550}
    className="anywhere"
    renderRoot={(props) => <Link {...props} to={to as never} onClick={onLeave} />}
  >
    {children}
  </Anchor>
)

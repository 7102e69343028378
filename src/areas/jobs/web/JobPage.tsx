import { Card, Code, Group, Text, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { JobProgress } from '../../../web/kit/JobProgress.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { JobSteps } from './JobSteps.tsx'
import { useJob } from './queries.ts'

/** One job: its progress, output and result. */
export function JobPage() {
  const id = Number((useParams({ strict: false }) as { id?: string }).id)
  const { data: job, error, refetch } = useJob(id)
  if (error && !job)
    return (
      <Page title={`Job ${id}`}>
        <Failure error={error} onRetry={() => void refetch()} />
      </Page>
    )
  if (!job)
    return (
      <Page title={`Job ${id}`}>
        <Loading />
      </Page>
    )
  return (
    <Page
      title={job.title || `Job ${id}`}
      about={
        <Group gap="xs">
          <Text span size="sm">
            {job.kind}
          </Text>
          <Moment time={job.created_at} />
        </Group>
      }
    >
      <Card withBorder radius="lg" p="lg">
        <JobProgress jobId={id} onEnd={() => void readAgain('jobs')} />
      </Card>
      {job.steps.length > 0 && (
        <Card withBorder radius="lg" p="lg">
          <Title order={2} size="h4" mb="sm">
            Steps
          </Title>
          <JobSteps steps={job.steps} isOver={job.finished_at !== null} />
        </Card>
      )}
      {job.error && <Failure error={new Error(job.error)} />}
      {job.result !== null && job.state === 'succeeded' && (
        <Card withBorder radius="lg" p="lg">
          <Title order={2} size="h4" mb="sm">
            Result
          </Title>
          <Code block tabIndex={0}>
            {JSON.stringify(job.result, null, 2)}
          </Code>
        </Card>
      )}
    </Page>
  )
}

import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { jobs } from '../../areas/jobs/web/api.ts'
import { run } from '../client.ts'
import { TextLink } from './LinkButton.tsx'

/** Links to the jobs of a kind that wait or run, so that a page which was left finds its work again. */
export function OngoingWork({ kind }: { readonly kind: string }) {
  const { data } = useQuery({
    queryKey: ['jobs', 'ongoing', kind],
    queryFn: ({ signal }) => run(jobs.listJobs({ query: { search: kind, limit: 10 } }), signal),
    refetchInterval: 5000,
  })
  const ongoing = (data?.items ?? []).filter((job) => job.kind === kind && job.finished_at === null)
  if (ongoing.length === 0) return null
  return (
    <Stack gap="xs" mb="md">
      {ongoing.map(({ id, title, message }) => (
        <Alert key={id} color="indigo" title={title}>
          {message} <TextLink to={`/jobs/${id}`}>Show the job</TextLink>
        </Alert>
      ))}
    </Stack>
  )
}

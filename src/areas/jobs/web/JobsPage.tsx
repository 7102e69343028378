import { Progress, Text } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { StateFilter } from '../../../web/kit/StateFilter.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import type { Job } from '../model.ts'
import { useJobs } from './queries.ts'

const states = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted']

const columns: Column<Job>[] = [
  {
    id: 'title',
    title: 'Job',
    sort: 'title',
    cell: ({ id, title }) => <TextLink to={`/jobs/${id}`}>{title || `Job ${id}`}</TextLink>,
  },
  { id: 'state', title: 'State', sort: 'state', cell: ({ state }) => <StateBadge state={state} /> },
  { id: 'progress', title: 'Progress', cell: (job) => <JobProgressCell job={job} /> },
  {
    id: 'created',
    title: 'Started',
    sort: 'created_at',
    cell: ({ created_at }) => <Moment time={created_at} />,
  },
]

/** Background jobs: the user's own, or all for a superuser. */
export function JobsPage() {
  const list = useListState('-id')
  const [state, setState] = useState<(typeof states)[number]>()
  const jobs = useJobs({ ...list.asked, ...(state && { state }) })
  return (
    <Page
      title="Jobs"
      about="Work in the background. It continues when you leave, and after a restart of the panel."
    >
      <DataTable
        label="Jobs"
        columns={columns}
        query={jobs}
        rowKey={({ id }) => id}
        list={list}
        searchLabel="Search jobs"
        filters={<StateFilter states={states} value={state} onChange={setState} list={list} />}
        empty={<Empty title="No jobs">Long work, such as installing a program, appears here.</Empty>}
      />
    </Page>
  )
}

function JobProgressCell({ job }: { readonly job: Job }) {
  if (job.state === 'running')
    return (
      <Progress.Root size="md" miw={90}>
        <Progress.Section
          value={job.percent ?? 100}
          animated
          striped
          aria-label={`Progress of ${job.title}`}
        />
      </Progress.Root>
    )
  return (
    <Text size="sm" c="dimmed" lineClamp={2}>
      {job.error ?? job.message}
    </Text>
  )
}

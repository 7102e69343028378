import { Stack, Text } from '@mantine/core'
import { run } from '../../../web/client.ts'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { SlowLogDraft, type SlowLog } from '../model.ts'
import { sqldb } from './api.ts'
import { useSlowLog } from './queries.ts'
import { SqldbFrame } from './SqldbFrame.tsx'

/** The statements that took long, and whether they are logged. */
export const SlowLogPage = () => (
  <SqldbFrame>
    <SlowStatements />
  </SqldbFrame>
)

type SlowQuery = SlowLog['queries'][number]

const seconds = (value: number) => `${value.toLocaleString('en', { maximumFractionDigits: 3 })} s`

const columns: Column<SlowQuery>[] = [
  {
    id: 'fingerprint',
    title: 'Statement',
    width: '45%',
    value: ({ fingerprint }) => fingerprint,
    cell: ({ fingerprint }) => (
      <Text size="sm" ff="monospace" className="anywhere" lineClamp={4}>
        {fingerprint}
      </Text>
    ),
  },
  { id: 'count', title: 'Times', value: ({ count }) => count, cell: ({ count }) => count },
  {
    id: 'total',
    title: 'Total',
    value: ({ total_seconds }) => total_seconds,
    cell: ({ total_seconds }) => seconds(total_seconds),
  },
  {
    id: 'mean',
    title: 'Average',
    value: ({ mean_seconds }) => mean_seconds,
    cell: ({ mean_seconds }) => seconds(mean_seconds),
  },
  {
    id: 'rows',
    title: 'Rows read',
    value: ({ rows_examined }) => rows_examined,
    cell: ({ rows_examined }) => rows_examined.toLocaleString('en'),
  },
  {
    id: 'databases',
    title: 'Databases',
    value: ({ databases }) => databases.join(', '),
    cell: ({ databases }) => databases.join(', ') || '–',
  },
]

function SlowStatements() {
  const { data, ...query } = useSlowLog()
  const page = useWholePage({ ...query, data: data?.queries })
  if (query.error && !data) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!data) return <Loading />
  return (
    <Stack gap="lg">
      <SectionCard title="Slow log">
        <Text size="sm" c="dimmed" mb="sm">
          {data.enabled ? `Written to ${data.path}` : 'Slow statements are not logged.'}
        </Text>
        <SlowLogForm key={`${data.enabled} ${data.long_query_time}`} log={data} />
      </SectionCard>
      <DataTable
        label="Slow statements"
        columns={columns}
        query={page}
        rowKey={({ fingerprint }) => fingerprint}
        empty={<Empty title="No slow statements">None was logged yet.</Empty>}
      />
    </Stack>
  )
}

const text = {
  enabled: { label: 'Log slow statements' },
  long_query_time: { label: 'Slow from', hint: 'Seconds' },
}

function SlowLogForm({ log: { enabled, long_query_time } }: { readonly log: SlowLog }) {
  const callOf = (body: SlowLogDraft) => sqldb.changeSlowLog({ body })
  return (
    <SchemaForm
      schema={SlowLogDraft}
      text={text}
      given={{ enabled, long_query_time }}
      submitLabel="Save"
      reviewOf={callOf}
      onSubmit={async (body) => {
        await run(callOf(body))
        notify('The slow log was changed.')
        await readAgain('sqldb')
      }}
    />
  )
}

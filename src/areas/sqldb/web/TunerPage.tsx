import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { run } from '../../../web/client.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import type { Tuner } from '../model.ts'
import { sqldb } from './api.ts'
import { useMysqltuner, useTuner } from './queries.ts'
import { SqldbFrame } from './SqldbFrame.tsx'

/** Values of settings that suit the load better. */
export const TunerPage = () => (
  <SqldbFrame>
    <Advices />
  </SqldbFrame>
)

type Advice = Tuner['advice'][number]

const columnsWith = (onApply: (advice: Advice) => void): Column<Advice>[] => [
  { id: 'name', title: 'Setting', value: ({ name }) => name, cell: ({ name }) => name },
  { id: 'current', title: 'Now', value: ({ current }) => current, cell: ({ current }) => current },
  {
    id: 'suggested',
    title: 'Suggested',
    value: ({ suggested }) => suggested,
    cell: ({ suggested }) => suggested,
  },
  {
    id: 'reason',
    title: 'Reason',
    width: '40%',
    value: ({ reason }) => reason,
    cell: ({ reason, figure }) => (
      <>
        <Text size="sm">{reason}.</Text>
        <Text size="xs" c="dimmed">
          {figure.name}: {figure.value.toLocaleString('en')}
        </Text>
      </>
    ),
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (advice) => (
      <Button size="xs" variant="default" aria-label={`Apply ${advice.name}`} onClick={() => onApply(advice)}>
        Apply
      </Button>
    ),
  },
]

function Advices() {
  const { data, ...query } = useTuner()
  const [applied, setApplied] = useState<Advice>()
  const columns = useMemo(() => columnsWith(setApplied), [])
  const page = useWholePage({ ...query, data: data?.advice })
  if (query.error && !data) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!data) return <Loading />
  return (
    <Stack gap="lg">
      {data.is_early && (
        <Alert color="blue">
          The server was started less than a day ago: its figures say little about its usual load.
        </Alert>
      )}
      <DataTable
        label="Advice"
        columns={columns}
        query={page}
        rowKey={({ name }) => name}
        empty={<Empty title="No advice">The settings suit the load.</Empty>}
      />
      <Mysqltuner mysqltuner={data.mysqltuner} />
      {applied && (
        <ChangeDialog
          title={`Set ${applied.name}`}
          confirmLabel="Apply"
          isCutOff={applied.needs_restart}
          call={sqldb.applyAdvice({ body: { names: [applied.name] } })}
          onClose={() => setApplied(undefined)}
          onDone={() => {
            setApplied(undefined)
            notify(`${applied.name} was set.`)
            return readAgain('sqldb')
          }}
        />
      )}
    </Stack>
  )
}

function Mysqltuner({ mysqltuner: { installed } }: Pick<Tuner, 'mysqltuner'>) {
  const { data } = useMysqltuner(installed)
  const install = useMutation({
    mutationFn: () => run(sqldb.installTuner()),
    onError: (error) => notify(textOf(error), true),
  })
  return (
    <SectionCard title="MySQLTuner">
      {!installed && (
        <Group justify="space-between">
          <Text size="sm">A script with advice of its own, as a second source.</Text>
          <Button variant="default" loading={install.isPending} onClick={() => install.mutate()}>
            Install MySQLTuner
          </Button>
        </Group>
      )}
      {installed && !data && <Loading rows={3} />}
      {data?.failure && <Alert color="orange">{data.failure}</Alert>}
      {data?.recommendations && (
        <List size="sm">
          {data.recommendations.map((each) => (
            <List.Item key={each}>{each}</List.Item>
          ))}
        </List>
      )}
      {install.data && (
        <JobDialog
          title="Install MySQLTuner"
          jobId={install.data.job_id}
          onClose={install.reset}
          onEnd={() => void readAgain('sqldb', 'programs', 'jobs')}
        />
      )}
    </SectionCard>
  )
}

import { Button, NativeSelect, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { run } from '../../../web/client.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { DataTable } from '../../../web/kit/DataTable.tsx'
import { Diff } from '../../../web/kit/Diff.tsx'
import { humanize } from '../../../web/kit/format.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty, Failure } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import { type DriftItem, type DriftReport, driftStates } from '../model.ts'
import { drift } from './api.ts'
import { type Asked, columnsOf, rightsShown } from './columns.tsx'
import { useDrift } from './queries.ts'

/** What was changed on the host outside the panel, and what adopts or reverts it. */
export function DriftPage() {
  const [state, setState] = useState<DriftItem['state']>()
  const { data, ...query } = useDrift(state === undefined ? {} : { state })
  const [asked, setAsked] = useState<Asked>()
  const check = useMutation({
    mutationFn: () => run(drift.checkNow()),
    onSuccess: () => readAgain('drift'),
  })
  return (
    <Page
      title="Drift"
      about="Files, services and accounts that the panel manages, compared with how it left them. A check runs once an hour and notifies you."
      actions={
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          Check now
        </Button>
      }
    >
      <SettingsTabs />
      {check.error && <Failure error={check.error} />}
      {data && <Summary report={data} />}
      <DataTable
        label="Drift"
        columns={columnsOf(setAsked)}
        query={useWholePage({ ...query, data: data?.items })}
        rowKey={({ id }) => id}
        filters={
          <NativeSelect
            aria-label="State"
            value={state ?? ''}
            data={[
              { value: '', label: 'All that differs' },
              ...driftStates.map((each) => ({ value: each, label: humanize(each) })),
            ]}
            onChange={(event) => setState(driftStates.find((each) => each === event.currentTarget.value))}
          />
        }
        empty={
          <Empty title={state === undefined ? 'No drift' : `Nothing is ${state}`}>
            Whatever is changed outside the panel is listed here.
          </Empty>
        }
      />
      {asked && <AskDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </Page>
  )
}

function Summary({ report: { counts, checked_at } }: { readonly report: DriftReport }) {
  const { same, edited, missing, unexpected } = counts
  return (
    <Text size="sm" c="dimmed">
      {same} unchanged, {edited} edited, {missing} missing, {unexpected} unexpected.{' '}
      {checked_at && (
        <>
          Last check: <Moment time={checked_at} />
        </>
      )}
    </Text>
  )
}

interface AskDialogProps {
  readonly asked: Asked
  readonly onClose: () => void
}

function AskDialog({ asked: { item, what }, onClose }: AskDialogProps) {
  const { id, name, diff, rights } = item
  const params = { id }
  const done = (message: string) => () => {
    onClose()
    notify(message)
    return readAgain('drift')
  }
  if (what === 'revert')
    return (
      <ChangeDialog
        title={`Revert ${name}`}
        confirmLabel="Revert"
        call={drift.revertDrift({ params })}
        onClose={onClose}
        onDone={done(`Reverted ${name}.`)}
      />
    )
  return (
    <ChangeDialog
      title={`Adopt ${name}`}
      confirmLabel="Adopt"
      call={drift.adoptDrift({ params })}
      onClose={onClose}
      onDone={done(`Adopted ${name}.`)}
    >
      {rights && (
        <Text size="sm" className="anywhere">
          {rightsShown(rights)}
        </Text>
      )}
      {diff === '' && !rights && <Text size="sm">Only secrets differ.</Text>}
      {diff !== '' && <Diff path={name} diff={diff} />}
    </ChangeDialog>
  )
}

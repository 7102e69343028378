import { Button, Modal, ScrollArea, Stack, Text } from '@mantine/core'
import type { BulkTarget, BulkWork } from './bulk-action.ts'
import { BulkRow } from './BulkRow.tsx'
import { useBulkRun } from './use-bulk-run.ts'
import { type RowPlan, useRowPlans } from './row-plans.ts'
import { DialogFooter } from '../DialogFooter.tsx'
import { Loading } from '../states.tsx'

interface BulkDialogProps {
  readonly work: BulkWork
  readonly onClose: () => void
}

/** Confirms an action on several rows, with the plan of each if it is destructive, and shows its progress. */
export function BulkDialog({ work, onClose }: BulkDialogProps) {
  const { label, note, isDestructive, isRed, targets } = work
  const plans = useRowPlans(isDestructive ? targets.map(({ call }) => call) : [])
  const planOf = (row: BulkTarget): RowPlan | undefined => plans.data?.[targets.indexOf(row)]
  const possible = targets.filter((row) => planOf(row)?.problem === undefined)
  const bulkRun = useBulkRun(work.onDone)
  const { stateOf, isRunning, hasRun, failed, done } = bulkRun
  const isReady = !isDestructive || plans.data !== undefined
  return (
    <Modal
      opened
      onClose={() => (isRunning ? bulkRun.stop() : onClose())}
      title={`${label} ${targets.length} ${work.noun[targets.length === 1 ? 0 : 1]}`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <Text size="sm">{note}</Text>
        {!isReady && <Loading rows={Math.min(3, targets.length)} />}
        {isReady && (
          <ScrollArea.Autosize mah="48dvh" type="auto" viewportProps={{ tabIndex: 0 }}>
            <Stack component="ul" gap="xs" m={0} p={0} aria-label="Selected">
              {targets.map((row) => (
                <BulkRow
                  key={row.name}
                  name={row.name}
                  state={stateOf(row)}
                  plan={planOf(row)}
                  isOpen={targets.length <= 3}
                />
              ))}
            </Stack>
          </ScrollArea.Autosize>
        )}
        <DialogFooter
          note={
            <Text size="sm" role="status">
              {(isRunning || hasRun) && `${done} of ${possible.length} done`}
              {failed.length > 0 && `, ${failed.length} failed`}
            </Text>
          }
        >
          {isRunning && (
            <Button variant="default" onClick={bulkRun.stop}>
              Stop after this one
            </Button>
          )}
          {!isRunning && (
            <Button variant="default" onClick={onClose} data-autofocus>
              {hasRun ? 'Close' : 'Cancel'}
            </Button>
          )}
          {!isRunning && failed.length > 0 && (
            <Button onClick={() => bulkRun.start(failed)}>Try again</Button>
          )}
          {!hasRun && (
            <Button
              color={isRed ? 'red.9' : 'indigo'}
              loading={isRunning}
              disabled={!isReady || possible.length === 0}
              onClick={() => bulkRun.start(possible)}
            >
              {label}
            </Button>
          )}
        </DialogFooter>
      </Stack>
    </Modal>
  )
}

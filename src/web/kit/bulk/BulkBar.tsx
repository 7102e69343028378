import { Button, Group, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { type Bulk, type BulkWork, workOn } from './bulk-action.ts'
import classes from '../DataTable.module.css'

const BulkDialog = lazy(() => import('./BulkDialog.tsx').then((loaded) => ({ default: loaded.BulkDialog })))

interface BulkBarProps<Row> {
  readonly bulk: Bulk<Row>
  readonly selected: readonly Row[]
  readonly onClear: () => void
}

/** The number of selected rows and the actions on them; empty while none is selected. */
export function BulkBar<Row>({ bulk, selected, onClear }: BulkBarProps<Row>) {
  const [asked, setAsked] = useState<BulkWork>()
  const close = () => setAsked(undefined)
  return (
    <>
      {selected.length > 0 && (
        <Group role="group" aria-label="Actions on the selection" className={classes.bulk} gap="xs">
          <Text size="sm" fw={600} role="status">
            {selected.length} selected
          </Text>
          {bulk.actions.map((action) => {
            const work = workOn(bulk, action, selected)
            return (
              <Button
                key={action.label}
                size="xs"
                variant={work.isRed ? 'light' : 'default'}
                color={work.isRed ? 'red' : 'gray'}
                disabled={work.targets.length === 0}
                onClick={() => setAsked(work)}
              >
                {action.label}
              </Button>
            )
          })}
          <Button size="xs" variant="subtle" onClick={onClear}>
            Clear
          </Button>
        </Group>
      )}
      {asked && (
        <Suspense>
          <BulkDialog work={asked} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

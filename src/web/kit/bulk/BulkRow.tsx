import { Group, Text } from '@mantine/core'
import { textOf } from '../../wire.ts'
import { PlanView } from '../PlanView.tsx'
import { StateBadge } from '../StateBadge.tsx'
import type { RowPlan } from './row-plans.ts'
import type { RowState } from './run-each.ts'
import classes from './BulkRow.module.css'

interface BulkRowProps {
  readonly name: string
  readonly state: RowState
  readonly plan: RowPlan | undefined
  /** The plan is unfolded at first. */
  readonly isOpen: boolean
}

/** One row of a bulk action: its plan before, its state and the reason of a failure after. */
export function BulkRow({ name, state, plan, isOpen }: BulkRowProps) {
  const reason = typeof state === 'object' ? textOf(state.failed) : plan?.problem
  const badge = typeof state === 'object' ? 'failed' : plan?.problem ? 'not possible' : state
  return (
    <li className={classes.row}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" fw={600} className="anywhere">
          {name}
        </Text>
        {badge !== 'waiting' && <StateBadge state={badge} />}
      </Group>
      {reason !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" className="anywhere">
          {reason}
        </Text>
      )}
      {plan?.plan && state === 'waiting' && (
        <>
          {lossesOf(plan.plan).map((loss) => (
            <Text key={loss} size="sm" className="anywhere">
              Cannot be undone: {loss}
            </Text>
          ))}
          <details open={isOpen}>
            <summary>{plan.plan.summary}</summary>
            <PlanView plan={plan.plan} />
          </details>
        </>
      )}
    </li>
  )
}

const lossesOf = ({ steps }: NonNullable<RowPlan['plan']>): readonly string[] =>
  steps.flatMap(({ irreversible }) => (irreversible ? [irreversible] : []))

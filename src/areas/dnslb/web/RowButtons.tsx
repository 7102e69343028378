import { Button, Group } from '@mantine/core'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import classes from './row-buttons.module.css'

interface RowButtonsProps {
  /** The row, for the names of the buttons. */
  readonly name: string
  readonly onEdit?: () => void
  /** Absent for the first row. */
  readonly onRaise?: (() => void) | undefined
  readonly onRemove: () => void
}

/** The buttons of a row of a list whose order may matter. */
export const RowButtons = ({ name, onEdit, onRaise, onRemove }: RowButtonsProps) => (
  <Group gap={4} justify="flex-end" className={classes.buttons}>
    {onRaise && (
      <Button size="xs" variant="default" aria-label={`Move up ${name}`} onClick={onRaise}>
        Move up
      </Button>
    )}
    {onEdit && (
      <Button size="xs" variant="default" aria-label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </Button>
    )}
    <CutOffButton size="xs" aria-label={`Remove ${name}`} onClick={onRemove}>
      Remove
    </CutOffButton>
  </Group>
)

/** The keys with the one at this place before its neighbour. */
export const raised = <Key,>(keys: readonly Key[], at: number): Key[] =>
  keys.toSpliced(at - 1, 2, keys[at]!, keys[at - 1]!)

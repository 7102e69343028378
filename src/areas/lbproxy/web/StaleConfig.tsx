import { Alert, Button, Group } from '@mantine/core'

interface StaleConfigProps {
  readonly isSaving: boolean
  readonly onTakeTheirs: () => void
  readonly onPutMine: () => void
}

/** Says that the file has changed since it was opened. */
export function StaleConfig({ isSaving, onTakeTheirs, onPutMine }: StaleConfigProps) {
  return (
    <Alert color="orange" title="The configuration has changed" role="alert">
      Another user has applied a different one since you opened it. Below are the changes that yours would
      make to theirs.
      <Group mt="sm" gap="xs">
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          Load theirs, discard mine
        </Button>
        <Button size="xs" color="red.9" loading={isSaving} onClick={onPutMine}>
          Overwrite with mine
        </Button>
      </Group>
    </Alert>
  )
}

import { Alert, Button, Group } from '@mantine/core'

interface StaleConfigProps {
  readonly isSaving: boolean
  readonly onTakeTheirs: () => void
  readonly onPutMine: () => void
}

/** The file is another one by now than the one that was opened. */
export function StaleConfig({ isSaving, onTakeTheirs, onPutMine }: StaleConfigProps) {
  return (
    <Alert color="orange" title="The configuration was changed meanwhile" role="alert">
      Somebody put another one live since you opened it. The changes below are what yours would make of
      theirs.
      <Group mt="sm" gap="xs">
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          Take theirs, without my changes
        </Button>
        <Button size="xs" color="red.9" loading={isSaving} onClick={onPutMine}>
          Put mine in its place
        </Button>
      </Group>
    </Alert>
  )
}

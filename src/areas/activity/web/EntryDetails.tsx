import { Button, Code, List, Modal, Stack, Text, Title } from '@mantine/core'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { StepView } from '../../../web/kit/PlanView.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { type Entry, useEntry } from './queries.ts'

interface EntryDetailsProps {
  readonly entry: Entry
  /** Shows only entries of this action. */
  readonly onFilter: (action: string) => void
  readonly onClose: () => void
}

/** The request of an entry, and what its change did to files and objects. */
export function EntryDetails({ entry, onFilter, onClose }: EntryDetailsProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={`Entry ${entry.id}: ${entry.title}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md" className="anywhere">
        <Text size="sm" c="dimmed">
          Request {entry.request_id}, {entry.duration_ms} ms
        </Text>
        {entry.message && <Text size="sm">{entry.message}</Text>}
        {entry.undo_refusal !== null && <Text size="sm">Cannot be undone: {entry.undo_refusal}.</Text>}
        <Stack gap="xs">
          <Title order={3} size="h5">
            Changes
          </Title>
          <Steps id={entry.id} />
        </Stack>
        <Stack gap="xs">
          <Title order={3} size="h5">
            Request
          </Title>
          <Text size="sm" ff="monospace">
            {entry.method} {entry.path}
          </Text>
          <Code block mah={260} tabIndex={0} style={{ overflow: 'auto' }} aria-label="Request">
            {JSON.stringify(entry.request, null, 2)}
          </Code>
        </Stack>
        <DialogFooter>
          <Button variant="default" onClick={() => onFilter(entry.action)}>
            Show this action only
          </Button>
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}

function Steps({ id }: { readonly id: number }) {
  const details = useEntry(id)
  if (details.error) return <Failure error={details.error} onRetry={() => void details.refetch()} />
  if (!details.data) return <Loading rows={2} />
  const { steps, status } = details.data
  if (steps.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {status === 'ok' ? 'No changes of the host are recorded.' : 'Nothing was changed.'}
      </Text>
    )
  return (
    <List
      type="ordered"
      spacing="xs"
      size="sm"
      styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
    >
      {steps.map((step, index) => (
        <List.Item key={index}>
          <StepView step={step} />
        </List.Item>
      ))}
    </List>
  )
}

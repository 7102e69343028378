import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Call, run } from '../client.ts'
import { type Plan, PlanView, refusalsOf } from './PlanView.tsx'
import { Failure, Loading } from './states.tsx'

interface ChangeDialogProps {
  readonly title: string
  readonly call: Call
  readonly confirmLabel: string
  readonly onClose: () => void
  readonly onDone: (reply: any) => unknown
  /** Whether there is a way back afterwards, as from a trash: then what the steps themselves cannot undo is no alarm. */
  readonly isRecoverable?: boolean
  /** What the reader chooses before confirming. */
  readonly children?: ReactNode
}

/** Shows what a change would do, and carries it out once that is confirmed. */
export function ChangeDialog({ title, call, confirmLabel, onClose, onDone, isRecoverable = false, children }: ChangeDialogProps) {
  const plan = useQuery({
    queryKey: ['plan', call],
    queryFn: ({ signal }) => run<Plan>({ ...call, query: { ...call.query, plan: 1 } }, signal),
    staleTime: 0,
    gcTime: 0,
  })
  const change = useMutation({ mutationFn: () => run(call), onSuccess: onDone })
  const isRisky = !isRecoverable && (call.method === 'DELETE' || plan.data?.effect === 'destroys' || plan.data?.is_reversible === false)
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {children}
        {plan.isPending && <Loading rows={3} />}
        {plan.error && <Failure error={plan.error} onRetry={() => void plan.refetch()} />}
        {plan.data && <PlanView plan={plan.data} isRecoverable={isRecoverable} />}
        {change.error && <Failure error={change.error} />}
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            Nothing has happened yet.
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={onClose} data-autofocus>
              Cancel
            </Button>
            <Button
              color={isRisky ? 'red.9' : 'indigo'}
              loading={change.isPending}
              disabled={!plan.data || refusalsOf(plan.data).length > 0}
              onClick={() => change.mutate()}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  )
}

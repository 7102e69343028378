import { Button, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import type { Call } from '../call.ts'
import { run } from '../client.ts'
import { queryClient } from '../queries.ts'
import { leavesAllAsItWas } from '../wire.ts'
import { DialogFooter } from './DialogFooter.tsx'
import { notify } from './notices.tsx'
import { useOverwriting } from './Overwriting.tsx'
import { PlanView, refusalsOf } from './PlanView.tsx'
import { Failure, Loading } from './states.tsx'
import { usePlan } from './use-plan.ts'

interface ChangeDialogProps {
  readonly title: string
  readonly call: Call
  /**
   * The call whose plan is shown if the executed call only starts a job: a job can always be undone, so its
   * plan says less.
   */
  readonly planOf?: Call
  readonly confirmLabel: string
  readonly onClose: () => void
  readonly onDone: (reply: any) => unknown
  /**
   * Reads the state after a failure, before the reader can retry; the signal aborts when the dialog closes.
   */
  readonly onFailed?: (signal: AbortSignal) => Promise<void>
  /** The change can be reverted later, for example from the trash, so irreversible steps raise no warning. */
  readonly isRecoverable?: boolean
  /** The change cuts visitors or users off although it can be reverted: its button is red. */
  readonly isCutOff?: boolean
  /** Options that the reader sets before confirming. */
  readonly children?: ReactNode
}

/** Shows the plan of a change and makes the change on confirmation; Cancel aborts everything but a job. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { title, confirmLabel, onClose, isRecoverable = false, children } = props
  const overwriting = useOverwriting()
  const call = overwriting.applyTo(props.call)
  const planOf = overwriting.applyTo(props.planOf ?? props.call)
  const plan = usePlan(planOf)
  const change = useChange({ ...props, call })
  const isRisky =
    props.isCutOff ||
    (!isRecoverable &&
      (call.method === 'DELETE' || plan.data?.effect === 'destroys' || plan.data?.is_reversible === false))
  const goesOn = plan.data?.is_job === true
  const close = () => {
    if (change.stop())
      notify(
        goesOn
          ? `${title}: goes on as a job.`
          : `Stopped: ${title}. A part of it may have been done; the panel undoes what it can.`,
        !goesOn,
      )
    onClose()
  }
  return (
    <Modal opened onClose={close} title={title} size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {children}
        {plan.isPending && <Loading rows={3} />}
        {plan.error && !plan.data && <Failure error={plan.error} onRetry={() => void plan.refetch()} />}
        {plan.data && <PlanView plan={plan.data} title={title} isRecoverable={isRecoverable} />}
        {overwriting.offer(plan.data, change.error)}
        {change.error && <Failure error={change.error} />}
        <DialogFooter
          note={
            <Text size="xs" c="dimmed" role="status">
              {change.isPending ? textWhile(goesOn) : textAfter(change.error)}
            </Text>
          }
        >
          <Button variant="default" onClick={close} data-autofocus>
            {change.isPending && goesOn ? 'Close' : 'Cancel'}
          </Button>
          <Button
            color={isRisky ? 'red.9' : 'indigo'}
            loading={change.isPending}
            disabled={!plan.data || refusalsOf(plan.data).length > 0}
            onClick={() => change.mutate()}
          >
            {confirmLabel}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}

/** Makes the change; reads the state again if it failed or was stopped. */
function useChange({ call, onDone, onFailed }: ChangeDialogProps) {
  const sending = useRef(new AbortController())
  const change = useMutation({
    mutationFn: () => run(call, (sending.current = new AbortController()).signal),
    onSuccess: onDone,
    onError: async () => {
      const { signal } = sending.current
      if (!signal.aborted) await onFailed?.(signal)
      void queryClient.invalidateQueries()
    },
  })
  const stop = (): boolean => {
    sending.current.abort()
    return change.isPending
  }
  return { isPending: change.isPending, error: change.error, mutate: () => change.mutate(), stop }
}

const textWhile = (goesOn: boolean): string =>
  goesOn ? 'It goes on as a job when you close this; the job can be cancelled.' : 'Cancel stops it.'

function textAfter(error: unknown): string {
  if (!error) return ''
  return leavesAllAsItWas(error)
    ? 'Nothing was changed.'
    : 'A part of it may have been done: the lists were refreshed.'
}

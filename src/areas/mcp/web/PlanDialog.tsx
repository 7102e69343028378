import { Button, Code, Modal, Stack, Text } from '@mantine/core'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlanView, refusalsOf } from '../../../web/kit/PlanView.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { ApprovalDetails } from '../model.ts'
import { useApproval, useDecision } from './queries.ts'

interface PlanDialogProps {
  readonly id: number
  readonly onClose: () => void
}

/** Shows the plan of a change that an agent asked for, and takes the decision on it. */
export function PlanDialog({ id, onClose }: PlanDialogProps) {
  const { data, error, isPending, refetch } = useApproval(id)
  const decision = useDecision(id, (isApproved) => {
    notify(isApproved ? 'Approved: a job carries out the change.' : 'Rejected.')
    onClose()
  })
  const isOpen = data?.state === 'pending'
  const isRisky = data?.plan.effect === 'destroys' || data?.plan.is_reversible === false
  return (
    <Modal
      opened
      onClose={onClose}
      title="Change of an agent"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        {isPending && <Loading rows={4} />}
        {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
        {data && <Details of={data} />}
        {decision.error && <Failure error={decision.error} />}
        <DialogFooter>
          <Button variant="default" data-autofocus onClick={onClose}>
            {isOpen ? 'Cancel' : 'Done'}
          </Button>
          {data && isOpen && (
            <>
              <CutOffButton disabled={decision.isPending} onClick={() => decision.mutate(false)}>
                Reject
              </CutOffButton>
              <Button
                color={isRisky ? 'red.9' : 'indigo'}
                loading={decision.isPending}
                disabled={refusalsOf(data.plan).length > 0}
                onClick={() => decision.mutate(true)}
              >
                Approve
              </Button>
            </>
          )}
        </DialogFooter>
      </Stack>
    </Modal>
  )
}

/** What was asked for, its plan, and the answer once it was carried out. */
function Details({ of: details }: { readonly of: ApprovalDetails }) {
  const { method, path, key_name: keyName, state, expires_at: end, request, plan, answer, status } = details
  return (
    <>
      <Text size="sm" className="anywhere">
        {method} {path}, asked for with the key {keyName}
      </Text>
      {state === 'pending' ? (
        <Text size="sm" c="dimmed">
          Expires <Moment time={end} />
        </Text>
      ) : (
        <div>
          <StateBadge state={state} />
        </div>
      )}
      <Text size="sm" fw={600}>
        Request
      </Text>
      <Json value={JSON.stringify(request, null, 2)} />
      <Text size="sm" fw={600}>
        Plan
      </Text>
      <PlanView plan={plan} />
      {answer !== undefined && (
        <>
          <Text size="sm" fw={600}>
            Answer, HTTP {status}
          </Text>
          <Json value={answer} />
        </>
      )}
    </>
  )
}

const Json = ({ value }: { readonly value: string }) => (
  <Code block className="anywhere" style={{ whiteSpace: 'pre-wrap' }}>
    {value}
  </Code>
)

import { Alert, Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { Page } from '../../../web/kit/Page.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { ChainCard } from './ChainCard.tsx'
import { ActivityList } from './ActivityList.tsx'
import { useVerification } from './queries.ts'

/** The activity log of this host, and the result of its integrity check. */
export function ActivityPage() {
  const check = useVerification()
  return (
    <Page
      title="Activity"
      about="Every change, newest first. The entries are chained by hash: an altered entry is detected."
      actions={
        <Button
          variant="default"
          leftSection={<IconShieldCheck size={16} aria-hidden />}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          Verify the chain
        </Button>
      }
    >
      <div aria-live="polite" className="quiet-region">
        {check.error && <Failure error={check.error} />}
        {check.data?.ok && (
          <Alert color="green" title="The chain is intact">
            {check.data.checked ?? 0} entries were checked; none was altered or removed.
          </Alert>
        )}
        {check.data && !check.data.ok && (
          <Alert color="red" title={`The chain is broken at entry ${check.data.broken_at ?? '?'}`}>
            {check.data.reason}
          </Alert>
        )}
      </div>
      <ChainCard />
      <ActivityList whose="all" />
    </Page>
  )
}

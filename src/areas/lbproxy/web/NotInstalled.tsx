import { Button, Paper } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import { lbproxy } from './api.ts'
import { carryOut } from './queries.ts'

/** Says that HAProxy is not installed on this host and offers to install it. */
export function NotInstalled() {
  const install = useMutation({
    mutationFn: () => carryOut(lbproxy.install()),
    onError: (error) => notify(textOf(error), true),
  })
  const look = () => void readAgain('lbproxy', 'areas', 'programs', 'jobs')
  return (
    <Paper withBorder radius="lg">
      <OngoingWork kind="programs.install" />
      <Empty
        title="HAProxy is not installed"
        action={
          <Button mt="sm" loading={install.isPending} onClick={() => install.mutate()}>
            Install HAProxy
          </Button>
        }
      >
        It distributes requests over several servers, skips those that do not answer, and terminates TLS. The
        panel installs it from the packages of this host.
      </Empty>
      {install.data && (
        <JobDialog title="Install HAProxy" jobId={install.data.job_id} onClose={install.reset} onEnd={look} />
      )}
    </Paper>
  )
}

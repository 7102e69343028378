import { Button } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { ipsec } from './api.ts'

const label = 'Install strongSwan'

/** Offers to install strongSwan where it is missing. */
export function InstallCard({ reason }: { readonly reason: string | null }) {
  const [isAsking, setAsking] = useState(false)
  const [jobId, setJobId] = useState<number>()
  return (
    <SectionCard title="strongSwan">
      <OngoingWork kind="programs.install" />
      <Empty
        title={reason ?? 'strongSwan is not installed'}
        action={
          <Button mt="sm" onClick={() => setAsking(true)}>
            {label}
          </Button>
        }
      >
        It negotiates tunnels with other gateways. The panel installs it from the packages of this host.
      </Empty>
      {isAsking && (
        <ChangeDialog
          title={label}
          confirmLabel="Install"
          call={ipsec.install()}
          onClose={() => setAsking(false)}
          onDone={({ job_id }: { readonly job_id: number }) => {
            setAsking(false)
            setJobId(job_id)
          }}
        />
      )}
      {jobId !== undefined && (
        <JobDialog
          title={label}
          jobId={jobId}
          onClose={() => setJobId(undefined)}
          onEnd={() => void readAgain('ipsec', 'areas', 'programs', 'jobs')}
        />
      )}
    </SectionCard>
  )
}

import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { Updates } from '../model.ts'
import { updates } from './api.ts'
import { useRefresh, useUpdates } from './queries.ts'
import { UpdatesTable } from './UpdatesTable.tsx'

const titles = {
  install: 'Update all',
  install_security: 'Security updates only',
  refresh: 'Check for updates',
} as const
type Action = keyof typeof titles

/** The pending updates of the host's packages, and what to do with them. */
export function UpdatesPage() {
  const { data } = useUpdates()
  const [asked, setAsked] = useState<'install' | 'install_security'>()
  const [job, setJob] = useState<{ readonly id: number; readonly action: Action }>()
  const refresh = useRefresh((id) => setJob({ id, action: 'refresh' }))
  return (
    <Page
      title="Updates"
      about={<About updates={data} />}
      actions={
        <>
          <Button variant="default" loading={refresh.isPending} onClick={() => refresh.mutate()}>
            {titles.refresh}
          </Button>
          {canInstall(data, true) && (
            <Button variant="default" onClick={() => setAsked('install_security')}>
              {titles.install_security}
            </Button>
          )}
          {canInstall(data, false) && <Button onClick={() => setAsked('install')}>{titles.install}</Button>}
        </>
      }
    >
      {refresh.error && <Failure error={refresh.error} />}
      {data && <Notes updates={data} />}
      <OngoingWork kind="updates.run" />
      <UpdatesTable />
      {asked && (
        <ChangeDialog
          title={titles[asked]}
          confirmLabel="Update"
          call={updates.installUpdates({ body: { action: asked } })}
          onClose={() => setAsked(undefined)}
          onDone={({ job_id: id }: { readonly job_id: number }) => {
            setAsked(undefined)
            setJob({ id, action: asked })
          }}
        />
      )}
      {job && (
        <JobDialog
          title={titles[job.action]}
          jobId={job.id}
          onClose={() => setJob(undefined)}
          onEnd={() => void readAgain('updates', 'programs', 'jobs')}
        />
      )}
    </Page>
  )
}

/** True if there is something to install, or whose set-up is to be completed. */
function canInstall(updates: Updates | undefined, isSecurityOnly: boolean): boolean {
  if (updates === undefined) return false
  if (!isSecurityOnly && updates.unfinished.length > 0) return true
  return updates.updates.some(
    ({ security, held, kept_back: isKeptBack }) => !held && !isKeptBack && (security || !isSecurityOnly),
  )
}

function About({ updates }: { readonly updates: Updates | undefined }) {
  return (
    <>
      New versions of the packages of this host.{' '}
      {updates &&
        (updates.lists_fetched_at === null ? (
          'The package lists have never been fetched.'
        ) : (
          <>
            The package lists were fetched <Moment time={updates.lists_fetched_at} />.
          </>
        ))}
    </>
  )
}

function Notes({ updates }: { readonly updates: Updates }) {
  const { reboot_required: isRebootRequired, reboot_packages: packages, unfinished } = updates
  return (
    <>
      {isRebootRequired && (
        <Alert color="orange" title="Restart required">
          {packages.length > 0
            ? `The host must be restarted for updates of ${packages.join(', ')} to take effect.`
            : 'The host must be restarted for installed updates to take effect.'}
        </Alert>
      )}
      {unfinished.length > 0 && (
        <Alert color="red" title="Set-up incomplete">
          {unfinished.join(', ')}: the set-up failed or was interrupted. The next update completes it.
        </Alert>
      )}
    </>
  )
}

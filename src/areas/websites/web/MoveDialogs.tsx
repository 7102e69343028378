import { useState } from 'react'
import Type from 'typebox'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { readAgain } from '../../../web/queries.ts'
import { useMe } from '../../auth/web/queries.ts'
import { CloneDraft, type Website, type WebsiteEdit, WebsiteEdit as Edit } from '../model.ts'
import { websites } from './api.ts'

interface DialogProps {
  readonly website: Website
  readonly onClose: () => void
}

const { domain, username } = Edit.properties
const Place = Type.Object({ domain, username })

const text = {
  domain: { label: 'Domain' },
  username: { label: 'Owner', hint: 'The Linux user of a hosting user' },
}

/** Gives a website another domain, and for superusers another owner. */
export function MoveDialog({ website, onClose }: DialogProps) {
  const isAdmin = useMe().data?.is_admin === true
  return (
    <PlannedForm
      title={`Move ${website.domain}`}
      confirmLabel="Move"
      schema={Place}
      text={text}
      except={isAdmin ? [] : ['username']}
      given={{ domain: website.domain, username: website.username }}
      sendsOnlyChanges
      callOf={(body: WebsiteEdit) => websites.editWebsite({ params: { id: website.id }, body })}
      onClose={onClose}
      onDone={(moved: Website) => {
        onClose()
        notify(`The website is ${moved.domain} of ${moved.username} now.`)
        void readAgain('websites', 'certificates')
      }}
    />
  )
}

/** Copies a website to another domain. */
export function CloneDialog({ website, onClose }: DialogProps) {
  const isAdmin = useMe().data?.is_admin === true
  const [job, setJob] = useState<number>()
  if (job !== undefined)
    return (
      <JobDialog
        title={`Clone ${website.domain}`}
        jobId={job}
        onClose={onClose}
        onEnd={() => void readAgain('websites', 'jobs')}
      />
    )
  return (
    <PlannedForm
      title={`Clone ${website.domain}`}
      confirmLabel="Clone"
      schema={CloneDraft}
      text={text}
      except={isAdmin ? [] : ['username']}
      callOf={(body: { readonly domain: string; readonly username?: string }) =>
        websites.cloneWebsite({ params: { id: website.id }, body })
      }
      onClose={onClose}
      onDone={({ job_id: id }: { readonly job_id: number }) => setJob(id)}
    />
  )
}

import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import type { FieldTexts } from '../../../web/kit/schema-fields.ts'
import { PushDraft, StagingDraft } from '../model.ts'
import { readStagingAgain, stagingCalls } from './queries.ts'

interface DialogProps {
  readonly id: number
  readonly domain: string
  readonly onClose: () => void
}

const copyText: FieldTexts = {
  domain: { label: 'Domain', hint: 'Such as staging.example.com' },
  visitor: { label: 'User of visitors', hint: 'With the password; default staging' },
  visitor_password: { label: 'Password of visitors', hint: 'Leave blank to let everybody in' },
}

/** Copies a website to a domain where changes can be tried. */
export function CreateDialog({ id, domain, onClose }: DialogProps) {
  const [job, setJob] = useState<number>()
  const title = `Make a staging copy of ${domain}`
  if (job !== undefined)
    return <JobDialog title={title} jobId={job} onClose={onClose} onEnd={() => void readStagingAgain()} />
  return (
    <PlannedForm
      title={title}
      confirmLabel="Make the copy"
      schema={StagingDraft}
      text={copyText}
      callOf={(body: StagingDraft) => stagingCalls(id).create(body)}
      onClose={onClose}
      onDone={({ job_id: started }: { readonly job_id: number }) => setJob(started)}
    />
  )
}

const pushText: FieldTexts = {
  parts: { label: 'What is replaced' },
  kept_tables: { label: 'Tables that stay', hint: 'Such as wp_comments' },
  kept_paths: {
    label: 'Files and folders that stay',
    hint: 'Such as wp-content/uploads, which stays by default if files alone are pushed',
  },
}

interface PushProps extends DialogProps {
  readonly origin: string
}

/** Replaces the origin of a copy by it. */
export function PushDialog({ id, domain, origin, onClose }: PushProps) {
  const [job, setJob] = useState<number>()
  const title = `Push ${domain} to ${origin}`
  if (job !== undefined)
    return <JobDialog title={title} jobId={job} onClose={onClose} onEnd={() => void readStagingAgain()} />
  return (
    <PlannedForm
      title={title}
      confirmLabel="Push"
      schema={PushDraft}
      text={pushText}
      callOf={(body: PushDraft) => stagingCalls(id).push(body)}
      onClose={onClose}
      onDone={({ job_id: started }: { readonly job_id: number }) => setJob(started)}
    />
  )
}

/** Deletes a copy with its files and database. */
export function DeleteDialog({ id, domain, onClose }: DialogProps) {
  return (
    <ChangeDialog
      title={`Delete the staging copy ${domain}`}
      confirmLabel="Delete"
      call={stagingCalls(id).remove()}
      onClose={onClose}
      onDone={() => {
        onClose()
        notify(`${domain} was deleted.`)
        void readStagingAgain()
      }}
    />
  )
}

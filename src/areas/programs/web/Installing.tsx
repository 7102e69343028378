import { useMutation } from '@tanstack/react-query'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import { installProgram } from './queries.ts'

/** Starts the installation of a program and shows its progress in a dialog; then `area` is read again too. */
export function useInstalling(area?: string) {
  const install = useMutation({
    mutationFn: installProgram,
    onError: (error) => notify(textOf(error), true),
  })
  const dialog = install.data && (
    <JobDialog
      title={`Install ${install.variables}`}
      jobId={install.data.job_id}
      onClose={install.reset}
      onEnd={() =>
        void readAgain('areas', 'programs', 'plugins', 'jobs', ...(area === undefined ? [] : [area]))
      }
    />
  )
  return { start: install.mutate, isStarting: install.isPending, dialog }
}

import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { stampFolder, stampPath } from './read-updates.ts'

/** The step that fetches the package lists. */
export function fetchLists({
  packages,
  files,
}: Pick<Host, 'packages' | 'files'>): StepKind<null, null, null> {
  return finalStep({
    name: 'updates.fetch-lists',
    plan: () => ({ title: 'Fetch the package lists', commands: [['apt-get', 'update']] }),
    why: 'the former lists are not kept',
    act: async (_args, { signal, progress, output }) => {
      progress(null, 'Fetching the package lists')
      await packages.refresh({ signal, onLine: output })
      await files.makeDirectory(stampFolder)
      await files.write(stampPath, '')
      progress(100, 'The package lists were fetched')
      return null
    },
    isDone: async () => undefined, // a repeat does no harm
  })
}

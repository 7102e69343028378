import { finalStep } from '../../../core/steps.ts'
import type { PanelParts } from './parts.ts'

/** Makes the kind of step that deletes a backup. */
export function dropStep({ files, directory }: Pick<PanelParts, 'files' | 'directory'>) {
  return finalStep({
    name: 'backups.drop',
    plan: ({ filename }: { readonly filename: string }) => ({ title: `Delete the backup ${filename}` }),
    why: 'a deleted backup is gone',
    act: async ({ filename }) => {
      await files.remove(`${directory}/${filename}`)
      return null
    },
    isDone: async ({ filename }) => (await files.facts(`${directory}/${filename}`)) === undefined,
  })
}

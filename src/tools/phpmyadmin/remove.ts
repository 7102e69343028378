import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { directory } from './layout.ts'
import { isUnpacked } from './unpack.ts'

/** The step that removes a version that is no longer served. */
export const removeRelease = ({
  files,
  releases,
}: Pick<Host, 'files' | 'releases'>): StepKind<{ readonly version: string }, null, null> =>
  finalStep({
    name: 'phpmyadmin.remove-release',
    plan: ({ version }: { readonly version: string }) => ({ title: `Remove phpMyAdmin ${version}` }),
    why: 'the former version must be downloaded again',
    act: async ({ version }) => {
      await releases.remove(files.real(directory), version)
      return null
    },
    isDone: async ({ version }) => !(await isUnpacked(files, version)),
  })

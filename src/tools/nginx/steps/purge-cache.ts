import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import { removePages } from '../cached-pages.ts'
import { cacheFolder } from '../layout.ts'
import type { NginxParts } from '../parts.ts'

export interface PurgeArgs {
  readonly siteId: number
  /** Null for all pages. */
  readonly path: string | null
}

/** The step that removes pages that nginx keeps for a site. */
export function purgeCache({
  host: { files },
  layout,
}: Pick<NginxParts, 'host' | 'layout'>): StepKind<PurgeArgs, null, null> {
  return finalStep<PurgeArgs>({
    name: 'nginx.purge-cache',
    plan: ({ path }) => ({
      title:
        path === null ? 'Remove all pages that nginx keeps' : `Remove the pages that nginx keeps of ${path}`,
    }),
    why: 'the pages are made again when somebody asks for them',
    act: async ({ siteId, path }) => {
      const folder = cacheFolder(layout, siteId)
      if ((await files.facts(folder)) !== undefined) await removePages(files.real(folder), path)
      return null
    },
    // visitors fill it again meanwhile: only a repeat is certain
    isDone: async () => undefined,
  })
}

import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { cacheFolder } from '../layout.ts'
import type { NginxParts } from '../parts.ts'

const own = process.getuid?.() ?? 0

export interface CacheFolderArgs {
  readonly siteId: number
  /** False removes it with all pages. */
  readonly isPresent: boolean
}

/**
 * The step that makes or removes the folder of the pages of a site, without which nginx refuses the site's file. When nginx loads the file, it
 * gives the folder to its workers; others cannot open it.
 */
export function setCacheFolder({
  host: { files },
  layout,
}: Pick<NginxParts, 'host' | 'layout'>): StepKind<CacheFolderArgs, Was<true>, null> {
  const folderOf = ({ siteId }: CacheFolderArgs) => cacheFolder(layout, siteId)
  return stateStep({
    name: 'nginx.set-cache-folder',
    plan: (args) => ({
      title: `${args.isPresent ? 'Make' : 'Remove'} ${folderOf(args)}, ${args.isPresent ? 'where nginx keeps pages' : 'with the pages that nginx keeps'}`,
    }),
    read: async (args): Promise<true | undefined> =>
      (await files.facts(folderOf(args))) === undefined ? undefined : true,
    wanted: ({ isPresent }) => (isPresent ? true : undefined),
    write: async (args, isPresent) => {
      if (isPresent) await files.makeDirectory(layout.cacheDirectory, { mode: 0o711 })
      // before it is removed, too: from then on the workers cannot enter it
      await files.makeDirectory(folderOf(args), { mode: 0o700, uid: own })
      if (!isPresent) await files.removeTree(folderOf(args))
    },
  })
}

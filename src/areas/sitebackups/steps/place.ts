import type { StepKind } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { ownerProblems } from '../../../host/owner/index.ts'
import { FolderExists } from '../problems.ts'
import type { BackupParts } from '../step-parts.ts'
import { exists, pathsOf, type RestoreArgs } from './scratch.ts'

interface PlaceArgs extends RestoreArgs {
  /** The name of the backup, and of the new folder. */
  readonly name: string
}

const restores = 'restores'

/** Returns the path of what a backup was restored to for inspection, relative to the home. */
export const inspectionPath = ({ domain, name }: Pick<PlaceArgs, 'domain' | 'name'>): string =>
  `${restores}/${domain}-${name}`

export const folderExists = (args: Pick<PlaceArgs, 'domain' | 'name'>): string =>
  `for_inspection: ${inspectionPath(args)} exists in the home: remove or rename it first`

/** The step that moves what was unpacked into a new folder of the home, where the owner looks at it. */
export function placeRestored(on: BackupParts): StepKind<PlaceArgs, { readonly hadFolder: boolean }, null> {
  const ownerOf = async ({ username }: PlaceArgs) => (await on.homeOf(username)).owner
  return {
    name: 'sitebackups.place',
    plan: (args) => ({
      title: `Move what was unpacked to ${inspectionPath(args)} in the home of ${args.username}`,
      details: ['The website and its databases stay as they are'],
    }),
    observe: async (args) => {
      const owner = await ownerOf(args)
      if (await exists(owner, inspectionPath(args))) throw FolderExists(folderExists(args))
      return { hadFolder: await exists(owner, restores) }
    },
    act: async (args) => {
      const owner = await ownerOf(args)
      if (!(await exists(owner, pathsOf(args).root))) return null
      await owner.mkdir(restores, { mode: 0o700, recursive: true })
      await owner.move(pathsOf(args).root, inspectionPath(args))
      return null
    },
    undo: async (args, { hadFolder }) => {
      const owner = await ownerOf(args)
      const { root } = pathsOf(args)
      if (!(await exists(owner, root)) && (await exists(owner, inspectionPath(args))))
        await owner.move(inspectionPath(args), root)
      if (!hadFolder) await owner.remove([restores]).catch(unlessUsed)
    },
    notUndone: 'the owner may have changed the files by now: remove the folder instead',
    check: async (args) => {
      const owner = await ownerOf(args)
      const [isLeft, isPlaced] = [
        await exists(owner, pathsOf(args).root),
        await exists(owner, inspectionPath(args)),
      ]
      if (isLeft === isPlaced) return 'other'
      return isPlaced ? 'wanted' : 'before'
    },
  }
}

/** Others may be in it by now, and it may never have been made. */
function unlessUsed(error: unknown): void {
  const { FolderNotEmpty, NoSuchFile } = ownerProblems
  if (!(error instanceof Problem) || ![FolderNotEmpty, NoSuchFile].includes(error.kind)) throw error
}

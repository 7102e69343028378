import type { StepKind } from '../../../core/change.ts'
import type { BackupParts } from '../step-parts.ts'
import { exists, pathsOf, type RestoreArgs } from './scratch.ts'

/** The step that puts the unpacked folder in the place of the website's; the former one is kept until the end. */
export function swapFolder(on: BackupParts): StepKind<RestoreArgs, { readonly hadFolder: boolean }, null> {
  const ownerOf = async ({ username }: RestoreArgs) => (await on.homeOf(username)).owner
  return {
    name: 'sitebackups.swap',
    plan: ({ domain, username }) => ({
      title: `Replace sites/${domain} in the home of ${username} by what was unpacked`,
    }),
    observe: async (args) => ({ hadFolder: await exists(await ownerOf(args), pathsOf(args).folder) }),
    act: async (args) => {
      const owner = await ownerOf(args)
      const { folder, former, unpacked } = pathsOf(args)
      if (!(await exists(owner, unpacked))) return null
      if ((await exists(owner, folder)) && !(await exists(owner, former))) await owner.move(folder, former)
      await owner.move(unpacked, folder)
      return null
    },
    undo: async (args, { hadFolder }) => {
      const owner = await ownerOf(args)
      const { root, folder, former, refused, unpacked } = pathsOf(args)
      if (!(await exists(owner, root))) return
      const isFormer = await exists(owner, former)
      if (hadFolder && !isFormer) return
      const isLeft = await exists(owner, unpacked)
      if (isLeft && !isFormer) return
      if (await exists(owner, folder)) await owner.move(folder, isLeft ? refused : unpacked)
      if (isFormer) await owner.move(former, folder)
    },
    notUndone: 'the website may have changed by now: restore the safety backup instead',
    check: async (args, { hadFolder }) => {
      const owner = await ownerOf(args)
      const { folder, former, unpacked } = pathsOf(args)
      const [isThere, isFormer, isLeft] = [
        await exists(owner, folder),
        await exists(owner, former),
        await exists(owner, unpacked),
      ]
      if (isThere && !isLeft) return 'wanted'
      return isLeft && !isFormer && isThere === hadFolder ? 'before' : 'other'
    },
  }
}

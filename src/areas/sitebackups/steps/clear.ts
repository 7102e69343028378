import { finalStep } from '../../../core/steps.ts'
import type { BackupParts } from '../step-parts.ts'
import { exists, pathsOf, removeAll, type RestoreArgs } from './scratch.ts'

/** The step that removes the former folder. It is renamed first: from then on, the restore is not taken back. */
export function clearScratch(on: BackupParts) {
  const ownerOf = async ({ username }: RestoreArgs) => (await on.homeOf(username)).owner
  const finish = async (args: RestoreArgs) => {
    const owner = await ownerOf(args)
    const { root, done } = pathsOf(args)
    if (!(await exists(owner, root))) await removeAll(owner, done)
  }
  const kind = finalStep({
    name: 'sitebackups.clear',
    plan: ({ domain }: RestoreArgs) => ({ title: `Remove the former folder of ${domain}` }),
    why: 'the former files are in the safety backup alone',
    act: async (args) => {
      const owner = await ownerOf(args)
      const { root, done } = pathsOf(args)
      if (await exists(owner, root)) await owner.move(root, done)
      await finish(args).catch(() => {}) // what is left takes room, and the website is restored
      return null
    },
    isDone: async (args) => {
      const owner = await ownerOf(args)
      const { root, done } = pathsOf(args)
      if (await exists(owner, root)) return false
      return (await exists(owner, done)) ? undefined : true
    },
  })
  return { ...kind, recover: finish }
}

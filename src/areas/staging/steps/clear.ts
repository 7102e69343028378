import { finalStep } from '../../../core/steps.ts'
import { existsInHome, removeFromHome } from '../../websites/index.ts'
import type { OwnerOf } from './home.ts'
import { pathsOf, type SwapArgs } from './swap-files.ts'

export type ClearArgs = Pick<SwapArgs, 'username' | 'to' | 'scratch'>

/** The step that removes the former files. They are renamed first: from then on, the push is not taken back. */
export function clearFormer(ownerOf: OwnerOf) {
  const finish = async (args: ClearArgs) => {
    const owner = await ownerOf(args.username)
    const { root, done } = pathsOf(args)
    if (!(await existsInHome(owner, root))) await removeFromHome(owner, done)
  }
  const kind = finalStep({
    name: 'staging.clear',
    plan: ({ to }: ClearArgs) => ({ title: `Remove the former files of ${to}` }),
    why: 'the former files are in the safety backup alone',
    act: async (args) => {
      const owner = await ownerOf(args.username)
      const { root, done } = pathsOf(args)
      if (await existsInHome(owner, root)) await owner.move(root, done)
      await finish(args).catch(() => {}) // what is left takes room, and the website is as wanted
      return null
    },
    isDone: async (args) => {
      const owner = await ownerOf(args.username)
      const { root, done } = pathsOf(args)
      if (await existsInHome(owner, root)) return false
      return (await existsInHome(owner, done)) ? undefined : true
    },
  })
  return { ...kind, recover: finish }
}

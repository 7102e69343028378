import type { StepKind } from '../../../core/change.ts'
import type { Owner } from '../../../host/owner/index.ts'
import { existsInHome, inHome, makeHomeFolder, removeFromHome } from '../../websites/index.ts'
import { configPath, cachePluginPath, quietPath } from '../wordpress.ts'
import type { OwnerOf } from './home.ts'

export interface SwapArgs {
  readonly username: string
  /** The domain of the copy. */
  readonly from: string
  /** The domain of its origin. */
  readonly to: string
  /** The name of the folder beside the websites in which files are prepared. */
  readonly scratch: string
  /** Paths below the document root that stay as they are. */
  readonly kept: readonly string[]
}

export const pathsOf = ({ to, scratch }: Pick<SwapArgs, 'to' | 'scratch'>) => ({
  live: `sites/${to}/public`,
  root: `sites/${scratch}`,
  preparing: `sites/${scratch}/preparing`,
  fresh: `sites/${scratch}/fresh`,
  former: `sites/${scratch}/former`,
  refused: `sites/${scratch}/refused`,
  done: `sites/${scratch}-done`,
})

/** Files of the origin that no copy replaces, relative to the document root. */
const own = [configPath, cachePluginPath].map((path) => path.replace(/^public\//, ''))

/** The step that replaces the document root of a website by that of its copy; the former one is kept beside it until the end. */
export function swapFiles(ownerOf: OwnerOf): StepKind<SwapArgs, null, null> {
  return {
    name: 'staging.swap-files',
    plan: ({ from, to, username, kept }) => ({
      title: `Replace the files of ${to} by those of ${from} in the home of ${username}`,
      details: [
        `Stay as they are: ${[...own, ...kept].join(', ')}`,
        'All other files of the website are replaced, also those that the copy does not have',
      ],
    }),
    observe: async () => null,
    act: async (args, { signal, progress }) => {
      const owner = await ownerOf(args.username)
      const { root, live, fresh, former } = pathsOf(args)
      if (!(await existsInHome(owner, former))) {
        await removeFromHome(owner, root)
        await makeHomeFolder(owner, root, 0o700)
        progress(null, `Copying the files of ${args.from}`)
        await inHome(() => prepare(owner, args, signal))
        await inHome(() => owner.move(live, former))
      }
      if (await existsInHome(owner, fresh)) {
        for (const path of keptOf(args)) await moveWithin(owner, path, former, fresh)
        await owner.move(fresh, live)
      }
      return null
    },
    undo: async (args) => {
      const owner = await ownerOf(args.username)
      const { root, live, fresh, former, refused } = pathsOf(args)
      if (await existsInHome(owner, former)) {
        for (const path of keptOf(args))
          for (const now of [live, fresh])
            if (!(await existsInHome(owner, `${former}/${path}`))) await moveWithin(owner, path, now, former)
        if (await existsInHome(owner, live)) await owner.move(live, refused)
        await owner.move(former, live)
      }
      await removeFromHome(owner, root)
    },
    notUndone: 'the website may have changed by now: restore the safety backup instead',
    check: async (args) => {
      const owner = await ownerOf(args.username)
      const { root, live, former } = pathsOf(args)
      if (!(await existsInHome(owner, root))) return 'before'
      return (await existsInHome(owner, former)) && (await existsInHome(owner, live)) ? 'wanted' : 'other'
    },
  }
}

/** Paths that stay, without those below others. */
function keptOf({ kept }: SwapArgs): readonly string[] {
  const all = [...new Set([...own, ...kept])]
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)))
}

/** Copies what replaces the website, without what stays: that is moved, so that nothing is lost that is written meanwhile. */
async function prepare(owner: Owner, args: SwapArgs, signal: AbortSignal): Promise<void> {
  const { preparing, fresh } = pathsOf(args)
  await owner.copy(`sites/${args.from}/public`, preparing, { signal })
  for (const path of [quietPath.replace(/^public\//, ''), ...keptOf(args)])
    await removeFromHome(owner, `${preparing}/${path}`)
  await owner.move(preparing, fresh)
}

/** Moves a path of one folder into another one, if it is there. */
async function moveWithin(owner: Owner, path: string, from: string, to: string): Promise<void> {
  if (!(await existsInHome(owner, `${from}/${path}`))) return
  const target = `${to}/${path}`
  await makeHomeFolder(owner, target.slice(0, target.lastIndexOf('/')))
  await owner.move(`${from}/${path}`, target)
}

import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import type { Owner } from '../../../host/owner/index.ts'
import {
  existsInHome,
  generationName,
  readHomeFile,
  removeFromHome,
  writeHomeFile,
} from '../../websites/index.ts'
import { pluginPath } from '../plugin.ts'

export interface HomeFilesArgs {
  readonly username: string
  readonly domain: string
  /** False removes both files. */
  readonly isOn: boolean
  /** The content of the plugin; null for none. */
  readonly plugin: string | null
}

interface HomeFiles {
  /** True if the generation file exists; what it contains is its owner's. */
  readonly generation?: true
  /** The content of the plugin. */
  readonly plugin?: string
}

export const pathsOf = ({ domain }: Pick<HomeFilesArgs, 'domain'>) => ({
  generation: `sites/${domain}/${generationName}`,
  plugin: `sites/${domain}/${pluginPath}`,
})

/** The step that writes or removes what a website's scripts need to empty its page cache, under the owner's uid. */
export function writeHomeFiles(
  ownerOf: (username: string) => Promise<Owner>,
): StepKind<HomeFilesArgs, Was<HomeFiles>, null> {
  return stateStep<HomeFilesArgs, HomeFiles>({
    name: 'page-cache.write-home-files',
    plan: (args) => ({
      title: `${args.isOn ? 'Write' : 'Remove'} ${pathsOf(args).generation} in the home of ${args.username}`,
      details:
        args.plugin === null && args.isOn
          ? ['The document root has no WordPress: nothing empties the cache when something changes']
          : [`${args.isOn ? 'Writes' : 'Removes'} the plugin ${pathsOf(args).plugin}`],
    }),
    startsFrom: 'observed', // the owner may write or remove either of them at any time
    read: async (args) => {
      const owner = await ownerOf(args.username)
      const { generation, plugin } = pathsOf(args)
      const [found, isThere] = [await readHomeFile(owner, plugin), await existsInHome(owner, generation)]
      return {
        ...(isThere && { generation: true as const }),
        ...(found && { plugin: found.text }),
      }
    },
    wanted: ({ isOn, plugin }) =>
      isOn ? { generation: true as const, ...(plugin !== null && { plugin }) } : {},
    write: async (args, state = {}, { now = {} }) => {
      const owner = await ownerOf(args.username)
      const paths = pathsOf(args)
      if (state.generation !== now.generation) await put(owner, paths.generation, state.generation && '')
      if (state.plugin !== now.plugin) await put(owner, paths.plugin, state.plugin)
    },
  })
}

/** nginx's workers read the one, and PHP as the owner the other. */
async function put(owner: Owner, path: string, content: string | undefined): Promise<void> {
  if (content === undefined) await removeFromHome(owner, path)
  else await writeHomeFile(owner, path, content, { mode: 0o644 })
}

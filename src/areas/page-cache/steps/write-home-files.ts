import type { StepKind } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { type Owner, ownerProblems } from '../../../host/owner/index.ts'
import { generationName } from '../../websites/index.ts'
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

const mostBytes = 256 * 1024

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
      const [content, isThere] = [await readText(owner, plugin), await exists(owner, generation)]
      return {
        ...(isThere && { generation: true as const }),
        ...(content !== undefined && { plugin: content }),
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
  if (content === undefined) return void (await unlessMissing(owner.remove([path])))
  await owner.mkdir(path.slice(0, path.lastIndexOf('/')), { recursive: true })
  await owner.write(path, Buffer.from(content), { mode: 0o644 })
}

/** Reads a file of a home; undefined if there is none. */
export async function readText(owner: Owner, path: string): Promise<string | undefined> {
  const found = await unlessMissing(owner.read(path, { end: mostBytes }))
  return found && Buffer.concat(await found.stream.toArray()).toString('utf8')
}

/** True if a path of a home exists. */
export const exists = async (owner: Owner, path: string): Promise<boolean> =>
  (await unlessMissing(owner.stat(path))) !== undefined

async function unlessMissing<Value>(pending: Promise<Value>): Promise<Value | undefined> {
  try {
    return await pending
  } catch (error) {
    const missing = [ownerProblems.NoSuchFile, ownerProblems.NotAFolder]
    if (error instanceof Problem && missing.includes(error.kind)) return undefined
    throw error
  }
}

import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { readHomeFile, removeFromHome, writeHomeFile } from '../../websites/index.ts'
import { ConfigUnreadable } from '../problems.ts'
import { changedConfig, type ConfigChange, configPath, quietPath, quietPlugin } from '../wordpress.ts'
import type { OwnerOf } from './home.ts'

/** A link that signs in to the origin is none for its copy. */
const signInFolder = '.hostreeve-wordpress'

export interface PrepareArgs {
  readonly username: string
  readonly domain: string
  readonly change: ConfigChange
}

interface Prepared {
  readonly config?: string
  readonly plugin?: string
}

/** The step that gives a copy of WordPress its own database and address, and keeps it quiet, under the owner's uid. */
export function prepareWordpress(ownerOf: OwnerOf): StepKind<PrepareArgs, Was<Prepared>, null> {
  const pathsOf = ({ domain }: PrepareArgs) => ({
    config: `sites/${domain}/${configPath}`,
    plugin: `sites/${domain}/${quietPath}`,
  })
  return stateStep<PrepareArgs, Prepared>({
    name: 'staging.prepare-wordpress',
    plan: (args) => ({
      title: `Give WordPress in sites/${args.domain} the database ${args.change.database} and a password of its own`,
      details: [`Writes ${pathsOf(args).plugin}: no mail leaves, and search engines are asked to stay away`],
    }),
    notUndone: 'the copy may have changed by now: delete it instead',
    read: async (args) => {
      const owner = await ownerOf(args.username)
      const paths = pathsOf(args)
      const config = await readHomeFile(owner, paths.config)
      const plugin = await readHomeFile(owner, paths.plugin)
      return { ...(config && { config: config.text }), ...(plugin && { plugin: plugin.text }) }
    },
    wanted: ({ change }, was) => ({ config: changedConfig(was?.config ?? '', change), plugin: quietPlugin }),
    refuse: ({ domain, change }, now) => {
      if (now?.config === undefined) throw ConfigUnreadable(`sites/${domain}/${configPath} is missing`)
      changedConfig(now.config, change)
    },
    write: async (args, state = {}, { now = {} }) => {
      const owner = await ownerOf(args.username)
      await removeFromHome(owner, `sites/${args.domain}/${signInFolder}`)
      for (const part of ['config', 'plugin'] as const) {
        const [path, content] = [pathsOf(args)[part], state[part]]
        if (content === now[part]) continue
        if (content === undefined) {
          await removeFromHome(owner, path)
          continue
        }
        await writeHomeFile(owner, path, content, { mode: part === 'config' ? 0o600 : 0o644 })
      }
    },
  })
}

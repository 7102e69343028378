import type { StepKind } from '../../../core/change.ts'
import type { NginxParts } from '../index.ts'
import { hostWord } from '../quote.ts'

export interface LogDirectoryArgs {
  readonly domain: string
  /** The group of the site's owner, who may read the logs. */
  readonly gid: number
}

export interface LogDirectoryBefore {
  readonly wasThere: boolean
}

const logs = ['access.log', 'error.log']

/**
 * The step that makes the place of a site's logs: the directory is root's, so that nobody can put a link where root opens a log.
 * Others may pass it (0751) because worker processes open logs again themselves after a rotation; the logs are 0640.
 */
export function makeLogDirectory({
  host: { files },
  layout,
}: NginxParts): StepKind<LogDirectoryArgs, LogDirectoryBefore, null> {
  const directoryOf = ({ domain }: LogDirectoryArgs) => `${layout.logsDirectory}/${hostWord(domain)}`
  return {
    name: 'nginx.make-log-directory',
    plan: (args) => ({ title: `Keep the logs of ${args.domain} in ${directoryOf(args)}` }),
    observe: async (args) => ({ wasThere: (await files.facts(directoryOf(args))) !== undefined }),
    act: async (args) => {
      const directory = directoryOf(args)
      await files.makeDirectory(directory, { mode: 0o751, gid: args.gid })
      for (const name of logs) {
        if ((await files.facts(`${directory}/${name}`)) === undefined)
          await files.write(`${directory}/${name}`, '', { rights: { mode: 0o640, gid: args.gid } })
      }
      return null
    },
    undo: async (args, before) => {
      if (before.wasThere) return
      for (const name of logs) await files.remove(`${directoryOf(args)}/${name}`)
      await files.removeDirectory(directoryOf(args))
    },
    check: async (args, before) => {
      const facts = await Promise.all([
        files.facts(directoryOf(args)),
        ...logs.map((name) => files.facts(`${directoryOf(args)}/${name}`)),
      ])
      if (facts.every((each) => each !== undefined)) return 'wanted'
      return facts[0] === undefined && !before.wasThere ? 'before' : 'other'
    },
  }
}

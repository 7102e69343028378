import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import type { NginxParts } from '../parts.ts'
import { logDirectory } from '../layout.ts'

export interface LogDirectoriesArgs {
  readonly sites: readonly {
    readonly domain: string
    /** The group of the site's owner, who may read the logs. */
    readonly gid: number
  }[]
}

/** The existence of directories and logs, by path; a directory precedes its logs. */
type Existing = Readonly<Record<string, boolean>>

const logs = ['access.log', 'error.log']
const isLog = (path: string): boolean => path.endsWith('.log')

/**
 * The step that creates the log directories of sites. They belong to root, so that no other account can
 * create a symlink where root opens a log. Others may traverse them (0751) because worker processes reopen
 * logs themselves after a rotation; the logs are 0640.
 */
export function makeLogDirectories({
  host: { files },
  layout,
}: NginxParts): StepKind<LogDirectoriesArgs, Was<Existing>, null> {
  const directoryOf = (domain: string) => logDirectory(layout, domain)
  const pathsOf = (domain: string) => {
    const directory = directoryOf(domain)
    return [directory, ...logs.map((name) => `${directory}/${name}`)]
  }
  const gids = ({ sites }: LogDirectoriesArgs) =>
    new Map(sites.flatMap(({ domain, gid }) => pathsOf(domain).map((path) => [path, gid])))
  const make = (path: string, gid: number) =>
    isLog(path)
      ? files.write(path, '', { rights: { mode: 0o640, gid } })
      : files.makeDirectory(path, { mode: 0o751, gid })
  const remove = async (path: string) => {
    if (isLog(path)) return files.remove(path)
    await files.cleanLeftovers(path) // a panel that was killed while it wrote a log leaves a temporary file
    return files.removeDirectory(path)
  }
  return stateStep({
    name: 'nginx.make-log-directories',
    plan: ({ sites }) => ({
      title: `Keep the logs of ${sites.map(({ domain }) => domain).join(', ')} in ${sites.length === 1 ? directoryOf(sites[0]!.domain) : layout.logsDirectory}`,
    }),
    read: async (args): Promise<Existing> => {
      const existing: Record<string, boolean> = {}
      for (const { domain } of args.sites) {
        const paths = pathsOf(domain)
        const found = await Promise.all(paths.map((path) => files.facts(path)))
        for (const [index, path] of paths.entries()) existing[path] = found[index] !== undefined
      }
      return existing
    },
    wanted: (args) => Object.fromEntries([...gids(args).keys()].map((path) => [path, true])),
    isOurs: () => true, // a rotation may remove a log at any time
    write: async (args, state = {}, { now = {} }) => {
      for (const { domain, gid } of args.sites) {
        const missing = pathsOf(domain).filter((path) => state[path] && !now[path])
        for (const path of missing.filter((each) => !isLog(each))) await make(path, gid)
        await whole(missing.filter(isLog).map((path) => make(path, gid)))
      }
      for (const path of [...gids(args).keys()].toReversed())
        if (!state[path] && now[path]) await remove(path)
    },
  })
}

/** Waits for all, also if one fails: an undo must not run beside a write. */
async function whole(pending: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(pending)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

import type { StepKind } from '../../core/change.ts'
import { finalStep, stateStep, type Was } from '../../core/steps.ts'
import { at, type Failures } from '../../core/endpoint.ts'
import { unless } from '../../core/problem.ts'
import { DiskFull } from '../../host/files.ts'
import type { Host } from '../../host/index.ts'
import { type Owner, ownerProblems } from '../../host/owner/index.ts'
import { accountInChange, openHomes, type Users } from '../users/index.ts'
import { type LogLinks, logLinks, logsOf } from './log-links.ts'
import { copyFolder, type FolderArgs, moveFolder } from './place-folder.ts'
import { type WritePlaceholder, writePlaceholder } from './placeholder.ts'
import { renewPages } from './renew-pages.ts'

/**
 * Failures that prevent a site's folder from being created or removed; a full disk may also be the one of
 * nginx's files.
 */
export const folderFailures: Readonly<Record<string, Failures>> = {
  folder_failed: at(
    500,
    ownerProblems.NotPermitted,
    ownerProblems.NotAFolder,
    ownerProblems.AlreadyThere,
    ownerProblems.NoSuchFile,
    ownerProblems.HelperFailed,
    ownerProblems.FolderNotEmpty,
  ),
  insufficient_storage: [ownerProblems.DiskFull, DiskFull],
  unavailable: ownerProblems.OwnerUnavailable,
}

interface LogFolderArgs extends FolderArgs {
  /** The directory in which nginx writes the logs of this site. */
  readonly logs: string
}

/** Which of a site's folders and its link exist, by their paths. */
type Existing = Readonly<Record<string, boolean>>

/** The steps on a site's folder in its owner's home. All of them run under the owner's uid. */
export interface SiteFolders {
  readonly make: StepKind<LogFolderArgs, Was<Existing>, null>
  /** The folders in which the PHP of a site keeps sessions and uploads. */
  readonly makePhp: StepKind<FolderArgs, Was<Existing>, null>
  readonly writePlaceholder: WritePlaceholder
  readonly unlinkLogs: StepKind<LogFolderArgs, Was<true>, null>
  readonly remove: StepKind<FolderArgs, { readonly paths: readonly string[] }, null>
  readonly move: ReturnType<typeof moveFolder>
  readonly copy: ReturnType<typeof copyFolder>
  readonly renewPages: ReturnType<typeof renewPages>
}

/** Binds the steps to the owners of this host. */
export function siteFolders(host: Pick<Host, 'owners' | 'run'>, users: Users): SiteFolders {
  const { ownerOf } = openHomes(host, users, accountInChange)
  const links = logLinks(host, users)
  return {
    make: makeFolders(ownerOf, links.make),
    makePhp: makePhpFolders(ownerOf),
    writePlaceholder: writePlaceholder(ownerOf),
    unlinkLogs: unlinkLogs(links),
    remove: removeFolder(ownerOf),
    move: moveFolder(ownerOf),
    copy: copyFolder(ownerOf),
    renewPages: renewPages(ownerOf),
  }
}

type OwnerOf = (username: string) => Promise<Owner>

/** The paths of a site in the home of its owner, by branch, each path inside the one before. */
const branchesOf = (domain: string) => [
  ['sites', `sites/${domain}`, `sites/${domain}/public`],
  ['logs', logsOf(domain)],
]

const pathsOf = (domain: string) => branchesOf(domain).flat()

/** Each path of a branch, and whether it exists: nothing exists inside a missing directory. */
async function existingOf(
  owner: Owner,
  paths: readonly string[],
): Promise<readonly (readonly [string, boolean])[]> {
  const existing: (readonly [string, boolean])[] = []
  let isMissing = false
  for (const path of paths) {
    isMissing ||= !(await exists(owner, path))
    existing.push([path, !isMissing])
  }
  return existing
}

function makeFolders(ownerOf: OwnerOf, linkLogs: LogLinks['make']): SiteFolders['make'] {
  const linkUnlessThere = async (owner: Owner, args: LogFolderArgs): Promise<void> => {
    try {
      await linkLogs(args, args.logs)
    } catch (error) {
      if (!(await exists(owner, logsOf(args.domain)))) throw error
    }
  }
  return stateStep({
    name: 'websites.make-folder',
    plan: ({ username, domain }: LogFolderArgs) => ({
      title: `Make the folder sites/${domain}/public in the home of ${username}, and link its logs as logs/${domain}`,
    }),
    read: async ({ username, domain }): Promise<Existing> => {
      const owner = await ownerOf(username)
      const branches = branchesOf(domain).map((paths) => existingOf(owner, paths))
      return Object.fromEntries((await Promise.all(branches)).flat())
    },
    wanted: ({ domain }) => Object.fromEntries(pathsOf(domain).map((path) => [path, true])),
    startsFrom: 'observed', // the owner may create or remove any of them at any time
    write: async (args, state = {}, { now = {} }) => {
      const owner = await ownerOf(args.username)
      for (const branch of branchesOf(args.domain)) {
        const missing = branch.filter((path) => state[path] && !now[path])
        const folder = missing.findLast((path) => path !== logsOf(args.domain))
        if (folder !== undefined) await owner.mkdir(folder, { recursive: true })
        if (missing.includes(logsOf(args.domain))) await linkUnlessThere(owner, args)
      }
      for (const path of pathsOf(args.domain).toReversed())
        if (!state[path] && now[path])
          await unless([ownerProblems.FolderNotEmpty, ownerProblems.NoSuchFile], owner.remove([path]))
    },
  })
}

const phpFoldersOf = (domain: string) => ['', '/sessions', '/tmp'].map((name) => `sites/${domain}/php${name}`)

function makePhpFolders(ownerOf: OwnerOf): SiteFolders['makePhp'] {
  return stateStep({
    name: 'websites.make-php-folders',
    plan: ({ username, domain }: FolderArgs) => ({
      title: `Make the folder sites/${domain}/php in the home of ${username}, for sessions, uploads and errors`,
    }),
    read: async ({ username, domain }): Promise<Existing> => {
      const owner = await ownerOf(username)
      const paths = phpFoldersOf(domain)
      return Object.fromEntries(
        await Promise.all(paths.map(async (path) => [path, await exists(owner, path)] as const)),
      )
    },
    wanted: ({ domain }) => Object.fromEntries(phpFoldersOf(domain).map((path) => [path, true])),
    startsFrom: 'observed', // the owner may create or remove any of them at any time
    write: async ({ username, domain }, state = {}, { now = {} }) => {
      const owner = await ownerOf(username)
      const paths = phpFoldersOf(domain)
      for (const path of paths) if (state[path] && !now[path]) await owner.mkdir(path, { recursive: true })
      for (const path of paths.toReversed())
        if (!state[path] && now[path])
          await unless([ownerProblems.FolderNotEmpty, ownerProblems.NoSuchFile], owner.remove([path]))
    },
  })
}

/**
 * The symlink is removed with the site: a later site with that name may belong to another owner. A folder or
 * file with that name is kept.
 */
function unlinkLogs(links: LogLinks): SiteFolders['unlinkLogs'] {
  return stateStep({
    name: 'websites.unlink-logs',
    plan: ({ username, domain }: LogFolderArgs) => ({
      title: `Remove the link logs/${domain} from the home of ${username}`,
    }),
    read: async (args): Promise<true | undefined> => (await links.exists(args, args.logs)) || undefined,
    wanted: () => undefined,
    write: (args, isLinked) => (isLinked ? links.make(args, args.logs) : links.remove(args, args.logs)),
  })
}

function removeFolder(ownerOf: OwnerOf): SiteFolders['remove'] {
  const present = async ({ username, domain }: FolderArgs): Promise<readonly string[]> => {
    const owner = await ownerOf(username)
    const paths: string[] = []
    for (const path of [logsOf(domain), `sites/${domain}`]) if (await exists(owner, path)) paths.push(path)
    return paths
  }
  return finalStep({
    name: 'websites.remove-folder',
    plan: ({ username, domain }: FolderArgs) => ({
      title: `Remove sites/${domain} with everything in it from the home of ${username}`,
    }),
    why: 'the files are gone for good',
    observe: async (args) => ({ paths: await present(args) }),
    act: async (args) => {
      const owner = await ownerOf(args.username)
      for (const path of await present(args)) await owner.remove([path], { recursive: true })
      return null
    },
    isDone: async (args, { paths }) => {
      const left = await present(args)
      return left.length > 0 && left.length < paths.length ? undefined : left.length === 0
    },
  })
}

async function exists(owner: Owner, path: string): Promise<boolean> {
  return (await unless([ownerProblems.NoSuchFile], owner.stat(path))) !== undefined
}

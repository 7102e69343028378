import type { StepKind } from '../../core/change.ts'
import { at, type Failures } from '../../core/endpoint.ts'
import { Problem, type ProblemKind, Unavailable } from '../../core/problem.ts'
import { DiskFull } from '../../host/files.ts'
import type { Host } from '../../host/index.ts'
import { type Owner, ownerProblems } from '../../host/owner/index.ts'
import type { Users } from '../users/index.ts'
import { LinkFailed, type LogLinks, logLinks, logsOf } from './log-links.ts'

/** What keeps a site's folder from being made or removed; the disk that is full may also be the one of nginx's files. */
export const folderFailures: Readonly<Record<string, Failures>> = {
  folder_failed: at(
    500,
    ownerProblems.NotPermitted,
    ownerProblems.NotAFolder,
    ownerProblems.AlreadyThere,
    ownerProblems.NoSuchFile,
    ownerProblems.HelperFailed,
    ownerProblems.FolderNotEmpty,
    LinkFailed,
  ),
  insufficient_storage: [ownerProblems.DiskFull, DiskFull],
  unavailable: ownerProblems.OwnerUnavailable,
}

export interface FolderArgs {
  readonly username: string
  readonly domain: string
}

interface LogFolderArgs extends FolderArgs {
  /** Where nginx writes the logs of this site. */
  readonly logs: string
}

interface FoldersBefore {
  /** The folders that were missing, outermost first. */
  readonly missing: readonly string[]
}

/** The steps on a site's folder in its owner's home. All of them run under the owner's uid. */
export interface SiteFolders {
  readonly make: StepKind<LogFolderArgs, FoldersBefore, void>
  readonly unlinkLogs: StepKind<LogFolderArgs, { readonly wasLinked: boolean }, void>
  readonly remove: StepKind<FolderArgs, null, void>
}

/** Binds the steps to the owners of this host. */
export function siteFolders(host: Pick<Host, 'owners' | 'run'>, users: Users): SiteFolders {
  const ownerOf = async (username: string): Promise<Owner> => {
    const account = await users.accountOf(username)
    if (account === undefined) throw Unavailable(`The Linux account ${username} is gone from this host`)
    return host.owners.of({ ...account, name: account.username })
  }
  const links = logLinks(host, users)
  return {
    make: makeFolders(ownerOf, links.make),
    unlinkLogs: unlinkLogs(links),
    remove: removeFolder(ownerOf),
  }
}

type OwnerOf = (username: string) => Promise<Owner>

const placesOf = (domain: string) => [
  'sites',
  `sites/${domain}`,
  `sites/${domain}/public`,
  'logs',
  logsOf(domain),
]

function makeFolders(ownerOf: OwnerOf, linkLogs: LogLinks['make']): SiteFolders['make'] {
  // one after another: many creations at once would be more calls than an owner may have under way
  const missingOf = async ({ username, domain }: FolderArgs) => {
    const owner = await ownerOf(username)
    const missing: string[] = []
    for (const path of placesOf(domain)) if (!(await exists(owner, path))) missing.push(path)
    return missing
  }
  return {
    name: 'websites.make-folder',
    plan: ({ username, domain }) => ({
      title: `Make the folder sites/${domain}/public in the home of ${username}, and link its logs as logs/${domain}`,
    }),
    observe: async (args) => ({ missing: await missingOf(args) }),
    act: async ({ username, domain, logs }, { before }) => {
      const owner = await ownerOf(username)
      await owner.mkdir(`sites/${domain}/public`, { recursive: true })
      await owner.mkdir('logs', { recursive: true })
      if (before.missing.includes(logsOf(domain))) await linkLogs({ username, domain }, logs)
    },
    undo: async ({ username }, { missing }) => {
      const owner = await ownerOf(username)
      for (const path of missing.toReversed())
        await unless([ownerProblems.FolderNotEmpty, ownerProblems.NoSuchFile], owner.remove([path]))
    },
    check: async (args, { missing }) => {
      const now = await missingOf(args)
      if (now.length === 0) return 'wanted'
      return now.length === missing.length ? 'before' : 'other'
    },
  }
}

/** The link goes with the site: a later site of that name belongs to another owner. A folder or file of that name stays. */
function unlinkLogs(links: LogLinks): SiteFolders['unlinkLogs'] {
  return {
    name: 'websites.unlink-logs',
    plan: ({ username, domain }) => ({
      title: `Remove the link logs/${domain} from the home of ${username}`,
    }),
    observe: async (args) => ({ wasLinked: await links.isThere(args, args.logs) }),
    act: (args) => links.remove(args, args.logs),
    undo: async (args, { wasLinked }) => {
      if (wasLinked && !(await links.isThere(args, args.logs))) await links.make(args, args.logs)
    },
    check: async (args, { wasLinked }) =>
      wasLinked && (await links.isThere(args, args.logs)) ? 'before' : 'wanted',
  }
}

function removeFolder(ownerOf: OwnerOf): SiteFolders['remove'] {
  return {
    name: 'websites.remove-folder',
    plan: ({ username, domain }) => ({
      title: `Remove sites/${domain} with everything in it from the home of ${username}`,
      irreversible: 'the files are gone for good',
    }),
    observe: async () => null,
    act: async ({ username, domain }) => {
      const owner = await ownerOf(username)
      for (const path of [`sites/${domain}`, logsOf(domain)])
        if (await exists(owner, path)) await owner.remove([path], { recursive: true })
    },
    undo: async () => {}, // what is gone is gone: the plan says so
    check: async ({ username, domain }) =>
      (await exists(await ownerOf(username), `sites/${domain}`)) ? 'before' : 'wanted',
  }
}

async function exists(owner: Owner, path: string): Promise<boolean> {
  return (await unless([ownerProblems.NoSuchFile], owner.stat(path))) !== undefined
}

/** Takes these failures for an answer. */
async function unless<Value>(
  kinds: readonly ProblemKind[],
  pending: Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await pending
  } catch (error) {
    if (error instanceof Problem && kinds.includes(error.kind)) return undefined
    throw error
  }
}

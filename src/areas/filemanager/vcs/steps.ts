import type { StepKind, StepState } from '../../../core/change.ts'
import type { Author, CommitDraft, CommitResult, Reverted } from '../../../host/owner/git/index.ts'
import { parseRemoteUrl } from '../../../host/owner/git/index.ts'
import type { Owner } from '../../../host/owner/index.ts'
import { counted, firstOf } from '../count-text.ts'
import { childOf, type TextPath } from '../paths.ts'
import type { OwnerOf } from '../steps/files.ts'

interface RepositoryArgs {
  readonly username: string
  readonly path: TextPath
}

export interface CommitArgs extends RepositoryArgs {
  readonly message: string
  readonly what: CommitDraft['what']
  readonly author: Partial<Author>
  readonly caller: Author
}

export interface RevertArgs extends RepositoryArgs {
  readonly commit?: string
  readonly what?: Exclude<CommitDraft['what'], 'staged'>
  readonly caller: Author
}

export interface RemoteArgs extends RepositoryArgs {
  readonly action: 'add' | 'set-url' | 'remove'
  readonly name: string
  readonly url?: string
}

/** Returns the steps on repositories. Each one rolls itself back when it fails, so that none needs an undo. */
export function vcsSteps(ownerOf: OwnerOf) {
  return {
    vcsInit: init(ownerOf),
    vcsCommit: commit(ownerOf),
    vcsRevert: revert(ownerOf),
    vcsRemote: remote(ownerOf),
  }
}

interface HeadBefore {
  readonly head: string | null
}

const headOf = async (ownerOf: OwnerOf, { username, path }: RepositoryArgs) =>
  (await ownerOf(username)).git.head(path)
const shown = ({ path: { path } }: RepositoryArgs): string => path.toWellFormed() || 'the home'

function init(ownerOf: OwnerOf): StepKind<RepositoryArgs & { readonly branch: string }, null, void> {
  const isThere = async ({ username, path }: RepositoryArgs) => (await ownerOf(username)).git.isTop(path)
  return {
    name: 'filemanager.vcs_init',
    plan: (args) => ({
      title: `Put ${shown(args)} of ${args.username} under version control`,
      irreversible: 'the folder .git stays',
    }),
    preview: async ({ username, path }) => {
      await mayInit(await ownerOf(username), path)
      return {}
    },
    observe: async () => null,
    act: async ({ username, path, branch }, { signal }) => {
      const owner = await ownerOf(username)
      await mayInit(owner, path)
      await owner.git.init(path, branch, signal)
    },
    undo: async () => {},
    check: async (args): Promise<StepState> => ((await isThere(args)) ? 'wanted' : 'before'),
  }
}

// git reports only a general failure if it cannot make its folder
async function mayInit(owner: Owner, path: TextPath): Promise<void> {
  await owner.git.mayInit(path)
  await owner.preview((one) =>
    one.mkdir(childOf(path, { field: path.field, path: '.git' }), { recursive: true }),
  )
}

function commit(ownerOf: OwnerOf): StepKind<CommitArgs, HeadBefore, CommitResult> {
  return {
    name: 'filemanager.vcs_commit',
    plan: (args) => ({
      title: `Commit in ${shown(args)} of ${args.username}`,
      irreversible: 'a commit is taken back by another one',
    }),
    preview: async ({ username, path, what }) => {
      const files = await (await ownerOf(username)).git.committable(path, what)
      return { details: [`Commits ${counted(files.length, 'file')}: ${firstOf(files, files.length)}`] }
    },
    observe: async (args) => ({ head: await headOf(ownerOf, args) }),
    act: async ({ username, path, message, what, author, caller }, { signal }) =>
      (await ownerOf(username)).git.commit(path, { message, what }, author, caller, signal),
    undo: async () => {},
    check: async (args, before) => ((await headOf(ownerOf, args)) === before.head ? 'before' : 'wanted'),
  }
}

function revert(ownerOf: OwnerOf): StepKind<RevertArgs, HeadBefore, Reverted> {
  const act = async (
    owner: Owner,
    { path, commit: name, what, caller }: RevertArgs,
    signal: AbortSignal,
  ): Promise<Reverted> =>
    name === undefined
      ? owner.git.discard(path, what ?? 'all', signal)
      : owner.git.revert(path, name, caller, signal)
  return {
    name: 'filemanager.vcs_revert',
    plan: (args) =>
      args.commit === undefined
        ? {
            title: `Discard changes in ${shown(args)} of ${args.username}`,
            irreversible: 'changes of files that a commit has are gone for good',
          }
        : { title: `Take the commit ${args.commit} back in ${shown(args)} of ${args.username}` },
    preview: async (args) => ({ details: [await previewRevert((await ownerOf(args.username)).git, args)] }),
    observe: async (args) => ({ head: await headOf(ownerOf, args) }),
    act: async (args, { signal }) => act(await ownerOf(args.username), args, signal),
    undo: async () => {},
    check: async (args, before) => {
      if (args.commit === undefined) return 'other'
      return (await headOf(ownerOf, args)) === before.head ? 'before' : 'wanted'
    },
  }
}

async function previewRevert(
  git: Owner['git'],
  { path, commit: name, what = 'all' }: RevertArgs,
): Promise<string> {
  if (name !== undefined)
    return `Makes a commit that takes ${await git.revertible(path, name)} back; where that meets conflicts nothing changes`
  const { known, fresh } = await git.discardable(path, what)
  return `Makes ${counted(known, 'file')} as in the last commit, and moves ${counted(fresh, 'file')} that no commit has to the trash`
}

function remote(ownerOf: OwnerOf): StepKind<RemoteArgs, { readonly url: string | null }, void> {
  const urlOf = async ({ username, path, name }: RemoteArgs) =>
    (await (await ownerOf(username)).git.urlOf(path, name)) ?? null
  const verbs = { add: 'Add', 'set-url': 'Change', remove: 'Remove' }
  return {
    name: 'filemanager.vcs_remote',
    plan: (args) => ({
      title: `${verbs[args.action]} the remote ${args.name} of ${shown(args)} of ${args.username}`,
    }),
    observe: async (args) => ({ url: await urlOf(args) }),
    act: async ({ username, path, action, name, url }) =>
      (await ownerOf(username)).git.changeRemote(
        path,
        action,
        name,
        url === undefined ? undefined : parseRemoteUrl(url),
      ),
    undo: async (args, { url }) => {
      const { git } = await ownerOf(args.username)
      const now = await urlOf(args)
      if (now === url) return
      if (url === null) return git.changeRemote(args.path, 'remove', args.name)
      await git.changeRemote(args.path, now === null ? 'add' : 'set-url', args.name, parseRemoteUrl(url))
    },
    check: async (args) => {
      const url = await urlOf(args)
      return url === (args.url ?? null) ? 'wanted' : 'before'
    },
  }
}

import type { StepKind } from '../../../core/change.ts'
import { finalStep, stateStep, type Was } from '../../../core/steps.ts'
import type { Author, CommitDraft, CommitResult, Reverted } from '../../../host/owner/git/index.ts'
import { gitProblems, parseRemoteUrl } from '../../../host/owner/git/index.ts'
import type { Owner } from '../../../host/owner/index.ts'
import { counted, firstOf } from '../count-text.ts'
import { childOf, type TextPath } from '../paths.ts'
import type { OwnerOf } from '../steps/files.ts'

export interface RepositoryArgs {
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
/** Names the repository of a step in its plan. */
export const shown = ({ path: { path } }: RepositoryArgs): string => path.toWellFormed() || 'the home'

function init(ownerOf: OwnerOf): StepKind<RepositoryArgs & { readonly branch: string }, null, void> {
  const isThere = async ({ username, path }: RepositoryArgs) => (await ownerOf(username)).git.isTop(path)
  return finalStep({
    name: 'filemanager.vcs_init',
    plan: (args: RepositoryArgs & { readonly branch: string }) => ({
      title: `Put ${shown(args)} of ${args.username} under version control`,
    }),
    why: 'the folder .git stays',
    preview: async ({ username, path }) => {
      await mayInit(await ownerOf(username), path)
      return {}
    },
    act: async ({ username, path, branch }, { signal }) => {
      const owner = await ownerOf(username)
      await mayInit(owner, path)
      await owner.git.init(path, branch, signal)
    },
    isDone: isThere,
  })
}

// git reports only a general failure if it cannot make its folder
async function mayInit(owner: Owner, path: TextPath): Promise<void> {
  await owner.git.mayInit(path)
  await owner.preview((one) =>
    one.mkdir(childOf(path, { field: path.field, path: '.git' }), { recursive: true }),
  )
}

function commit(ownerOf: OwnerOf): StepKind<CommitArgs, HeadBefore, CommitResult> {
  return finalStep({
    name: 'filemanager.vcs_commit',
    plan: (args) => ({ title: `Commit in ${shown(args)} of ${args.username}` }),
    why: 'a commit is taken back by another one',
    preview: async ({ username, path, what }) => {
      const files = await (await ownerOf(username)).git.committable(path, what)
      return { details: [`Commits ${counted(files.length, 'file')}: ${firstOf(files, files.length)}`] }
    },
    observe: async (args) => ({ head: await headOf(ownerOf, args) }),
    act: async ({ username, path, message, what, author, caller }, { signal }) =>
      (await ownerOf(username)).git.commit(path, { message, what }, author, caller, signal),
    isDone: async (args, before) => (await headOf(ownerOf, args)) !== before.head,
  })
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
    notUndone: ({ commit: name }) =>
      name === undefined
        ? 'the discarded changes are gone for good'
        : 'a commit is taken back by another one',
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

const remoteVerbs = { add: 'Add', 'set-url': 'Change', remove: 'Remove' }

function remote(ownerOf: OwnerOf): StepKind<RemoteArgs, Was<string>, null> {
  return stateStep({
    name: 'filemanager.vcs_remote',
    plan: (args) => ({
      title: `${remoteVerbs[args.action]} the remote ${args.name} of ${shown(args)} of ${args.username}`,
    }),
    read: async ({ username, path, name }: RemoteArgs) => (await ownerOf(username)).git.urlOf(path, name),
    refuse: ({ action, name }, now) => {
      if (action === 'add' && now !== undefined)
        throw gitProblems.RemoteTaken(`name: ${name}: the repository has a remote of this name`)
      if (action !== 'add' && now === undefined)
        throw gitProblems.NoSuchRemote(`name: ${name}: the repository has no such remote`)
    },
    wanted: ({ url }) => (url === undefined ? undefined : parseRemoteUrl(url).text),
    write: async ({ username, path, name }, url, { now }) => {
      const { git } = await ownerOf(username)
      if (url === undefined) return git.changeRemote(path, 'remove', name)
      return git.changeRemote(path, now === undefined ? 'add' : 'set-url', name, parseRemoteUrl(url))
    },
  })
}

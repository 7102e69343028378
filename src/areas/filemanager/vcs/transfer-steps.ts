import type { StepKind, StepRun } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import {
  type Author,
  gitProblems,
  parseRemoteUrl,
  type RemoteUrl,
  type SignIn,
} from '../../../host/owner/git/index.ts'
import type { OwnerOf } from '../steps/files.ts'
import { type Reach, sideOf } from './sides.ts'
import { type RepositoryArgs, shown } from './steps.ts'
import { addressOf } from './store.ts'

interface TransferArgs extends RepositoryArgs {
  readonly isAdmin: boolean
  readonly acceptHostKey?: string | undefined
}

interface RemoteArgs extends TransferArgs {
  readonly remote: string
  /** The address that was decided on: credentials are sent to no other. */
  readonly address: string
  readonly branch: string
}

interface CloneArgs extends TransferArgs {
  readonly url: string
  readonly branch?: string | undefined
  readonly depth?: number | undefined
}

interface PullArgs extends RemoteArgs {
  readonly merge: boolean
  readonly caller: Author
}

interface PushArgs extends RemoteArgs {
  readonly tags: boolean
  readonly upstream: boolean
  readonly force: boolean
}

/** The credentials, which are not stored with the change. */
interface Live {
  readonly signIn: SignIn | undefined
}

interface Cloned {
  /** The folder of the repository; the named path may contain a symlink. */
  readonly repository: string
  readonly commit: string | null
}

interface Pulled {
  readonly before: string | null
  readonly commit: string | null
}

interface Doors extends Reach {
  readonly ownerOf: OwnerOf
}

export const cloneMs = 4 * 3_600_000
export const otherMs = 3_600_000

/** Returns the steps that transfer commits from and to another host. */
export function transferSteps(doors: Doors) {
  return { vcsClone: clone(doors), vcsPull: pull(doors), vcsPush: push(doors) }
}

function clone(doors: Doors): StepKind<CloneArgs, null, Cloned, Live> {
  const cloned = async ({ username, path }: CloneArgs): Promise<Cloned | undefined> => {
    const { git } = await doors.ownerOf(username)
    if (!(await git.isTop(path))) return undefined
    return { repository: await git.rootOf(path), commit: await git.head(path) }
  }
  return {
    ...finalStep<CloneArgs, null, Cloned, Live>({
      name: 'filemanager.vcs_clone',
      plan: (args) => ({
        title: `Clone ${parseRemoteUrl(args.url).host} into ${shown(args)} of ${args.username}`,
      }),
      why: 'the folder stays',
      act: async (args, run) => {
        const { username, path, branch, depth } = args
        const { git } = await doors.ownerOf(username)
        const at = { url: parseRemoteUrl(args.url), field: 'url', timeoutMs: cloneMs } as const
        await git.clone(path, await sideOf(doors, { ...at, ...trustOf(args, run) }, run), { branch, depth })
        return { repository: await git.rootOf(path), commit: await git.head(path) }
      },
      isDone: async (args) => (await cloned(args)) !== undefined,
    }),
    again: cloned,
  }
}

function pull(doors: Doors): StepKind<PullArgs, Pick<Pulled, 'before'>, Pulled, Live> {
  const headOf = async ({ username, path }: PullArgs) => (await doors.ownerOf(username)).git.head(path)
  return {
    ...finalStep<PullArgs, Pick<Pulled, 'before'>, Pulled, Live>({
      name: 'filemanager.vcs_pull',
      plan: (args) => ({
        title: `Pull ${args.remote}/${args.branch} into ${shown(args)} of ${args.username}`,
      }),
      why: 'the commits stay',
      observe: async (args) => ({ before: await headOf(args) }),
      act: async (args, run) => {
        const { username, path, caller } = args
        const { git } = await doors.ownerOf(username)
        const wanted = { ...args, side: sideAt(doors, args, run) }
        const { before, commit } = await git.pull(path, wanted, caller, run.signal)
        run.output(before === commit ? 'Nothing new' : `Now at ${commit}`)
        return { before, commit }
      },
      isDone: async (args, { before }) => {
        if ((await headOf(args)) !== before) return true
        const { git } = await doors.ownerOf(args.username)
        return (await git.operation(args.path)) === 'none' ? false : undefined
      },
    }),
    again: async (args, { before }) => {
      const commit = await headOf(args)
      return commit === before ? undefined : { before, commit }
    },
  }
}

function push(doors: Doors): StepKind<PushArgs, { readonly isPushed: boolean }, null, Live> {
  const isPushed = async ({ username, path, remote, branch }: PushArgs) =>
    (await doors.ownerOf(username)).git.isPushed(path, remote, branch)
  return finalStep({
    name: 'filemanager.vcs_push',
    plan: (args) => ({
      title: `Push ${shown(args)} of ${args.username} to ${args.remote}/${args.branch}`,
    }),
    why: 'the remote keeps the commits',
    observe: async (args) => ({ isPushed: await isPushed(args) }),
    act: async (args, run) => {
      const { git } = await doors.ownerOf(args.username)
      await git.push(args.path, { ...args, side: sideAt(doors, args, run) }, run.signal)
      return null
    },
    isDone: async (args, before) => !before.isPushed && isPushed(args),
  })
}

/** Connects to a remote, whose address is read when the repository is opened. */
function sideAt(doors: Doors, args: RemoteArgs, run: StepRun<unknown, Live>) {
  return async (remote: string, url: RemoteUrl) => {
    if (addressOf(url) !== args.address)
      throw gitProblems.InTheWay(`remote: ${remote}: its address was changed meanwhile`)
    const at = { url, field: 'remote', timeoutMs: otherMs } as const
    return sideOf(doors, { ...at, ...trustOf(args, run) }, run)
  }
}

const trustOf = (
  { username, isAdmin, acceptHostKey }: TransferArgs,
  { live: { signIn } }: StepRun<unknown, Live>,
) => ({ username, isAdmin, acceptHostKey, signIn })

import type { Owner } from '../../../host/owner/index.ts'
import type { Past } from '../history/past.ts'
import { childOf, type TextPath } from '../paths.ts'
import { found, type OwnerOf } from './files.ts'
import { ownerStep } from './owner-step.ts'
import { standing, standingAt, stateOfCopy } from './standing.ts'
import { placeOf, reachOf } from './words.ts'
import { counted } from '../counted.ts'

interface PlaceArgs {
  readonly username: string
  readonly from: TextPath
  readonly to: TextPath
  readonly overwrite: boolean
  readonly into: boolean
  /** The panel user who does it, for the history. */
  readonly by: number
}

interface PathArgs {
  readonly username: string
  readonly path: TextPath
  readonly recursive: boolean
}

/** The steps that move, copy and mark what stands in a home. */
export function arrangeSteps(ownerOf: OwnerOf, past: Past) {
  return {
    move: ownerStep(ownerOf, {
      name: 'move',
      title: ({ from, to }: PlaceArgs) => `Move ${from.path} to ${to.path || 'the top'}`,
      foresee: async (owner, { from, to, overwrite, into }) => [placeOf(await owner.foresee((one) => one.move(from, to, { overwrite, into })))],
      act: async (owner, args, signal) => {
        const { username, from, to, overwrite, into } = args
        const target = await targetOf(owner, args)
        await onto(past, 'move', args, target, () => owner.move(from, to, { overwrite, into, signal }))
        await past.follow(username, from, target)
      },
      observe: async () => null,
      state: async (owner, { from }) => ((await found(owner, from)) === undefined ? 'wanted' : 'before'),
    }),
    copy: ownerStep(ownerOf, {
      name: 'copy',
      title: ({ from, to }: PlaceArgs) => `Copy ${from.path} to ${to.path || 'the top'}`,
      foresee: async (owner, { from, to, overwrite, into }) => {
        const copied = await owner.foresee((one) => one.copy(from, to, { overwrite, into }))
        return [placeOf(copied), `Copies ${reachOf(copied)}`]
      },
      act: async (owner, args, signal) => {
        const { from, to, overwrite, into } = args
        await onto(past, 'copy', args, await targetOf(owner, args), () => owner.copy(from, to, { overwrite, into, signal }))
      },
      observe: async (owner, args) => standingAt(owner, await targetOf(owner, args)),
      state: async (owner, { from }, before) => stateOfCopy(await standing(owner, from), before, await standing(owner, before.path)),
    }),
    chmod: ownerStep(ownerOf, {
      name: 'chmod',
      title: ({ path, mode, recursive, only }: PathArgs & { readonly mode: number; readonly only?: 'files' | 'folders' }) =>
        `Give ${only === undefined ? '' : `the ${only} of `}${path.path} the mode ${mode.toString(8)}${recursive && only === undefined ? ', with everything in it,' : ''}`,
      irreversible: 'the former modes are not kept',
      foresee: async (owner, { path, mode, recursive, only }) => {
        const { entries, isCut } = await owner.foresee((one) => one.chmod(path, mode, { recursive, only }))
        return [`Changes ${isCut ? 'more than ' : ''}${counted(entries, 'mode')}`]
      },
      act: (owner, { path, mode, recursive, only }, signal) => owner.chmod(path, mode, { recursive, only, signal }),
      observe: async (owner, { path }) => ({ mode: (await standing(owner, path))?.mode ?? null }),
      // what is asked for gets its mode last, after everything in it
      state: async (owner, { path, mode, recursive }, before) => {
        const isGiven = Number.parseInt((await standing(owner, path))?.mode ?? '', 8) === mode
        if (!recursive) return isGiven ? 'wanted' : 'before'
        return isGiven && Number.parseInt(before.mode ?? '', 8) !== mode ? 'wanted' : 'other'
      },
    }),
    lock: ownerStep(ownerOf, {
      name: 'lock',
      title: ({ path, isLocked }: PathArgs & { readonly isLocked: boolean }) => `${isLocked ? 'Lock' : 'Unlock'} ${path.path}`,
      foresee: async (owner, { path, isLocked, recursive }) => {
        const { type, is_locked: wasLocked } = await owner.lockable(path)
        if (recursive && type === 'folder') return [`Reaches ${reachOf(await owner.foresee((one) => one.dirsize(path)))}; links are left out`]
        return wasLocked === isLocked ? [isLocked ? 'It is locked already' : 'It is not locked'] : []
      },
      act: (owner, { path, isLocked, recursive }, signal) => owner.lock(path, isLocked, { recursive, signal }),
      observe: async () => null,
      state: async (owner, { path, isLocked }) => ((await found(owner, path))?.is_locked === isLocked ? 'wanted' : 'before'),
    }),
  }
}

/** Where a thing comes to stand: a folder at the place takes it in where that is asked for. */
async function targetOf(owner: Owner, { from, to, into }: PlaceArgs): Promise<TextPath> {
  if (!into) return to
  const inside = await owner.stat({ ...to, path: `${to.path.replace(/\/+$/, '')}/` }).then(
    ({ type }) => type === 'folder',
    () => false, // no folder, or nothing there: the move itself says so
  )
  return inside ? childOf(to, { ...from, path: from.path.replace(/\/+$/, '').split('/').at(-1) ?? '' }) : to
}

function onto(past: Past, through: 'move' | 'copy', { username, by, overwrite }: PlaceArgs, target: TextPath, work: () => Promise<unknown>) {
  const done = async () => void (await work())
  return overwrite ? past.replacing({ username, path: target, by, through }, done) : done()
}

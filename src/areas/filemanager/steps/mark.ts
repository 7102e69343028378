import { counted } from '../count-text.ts'
import type { TextPath } from '../paths.ts'
import { found, type OwnerOf } from './files.ts'
import { ownerStep } from './owner-step.ts'
import { entryAt } from './existing-entry.ts'
import { reachOf } from './plan-text.ts'
import { effectOnKeys } from './ssh-keys.ts'

interface PathArgs {
  readonly username: string
  readonly path: TextPath
  readonly recursive: boolean
}

/** Returns the steps that change modes and locks of files and folders in a home. */
export function markSteps(ownerOf: OwnerOf) {
  return { chmod: chmodStep(ownerOf), lock: lockStep(ownerOf) }
}

function chmodStep(ownerOf: OwnerOf) {
  return ownerStep(ownerOf, {
    name: 'chmod',
    title: ({
      path,
      mode,
      recursive,
      only,
    }: PathArgs & { readonly mode: number; readonly only?: 'files' | 'folders' }) =>
      `Give ${only === undefined ? '' : `the ${only} of `}${path.path} the mode ${mode.toString(8)}${recursive && only === undefined ? ', with everything in it,' : ''}`,
    irreversible: 'the former modes are not kept',
    preview: async (owner, args) => {
      const { path, mode, recursive, only } = args
      const { entries, isCut } = await owner.preview((one) => one.chmod(path, mode, { recursive, only }))
      return [
        `Changes ${isCut ? 'more than ' : ''}${counted(entries, 'mode')}`,
        ...(await effectOnKeys(owner, args)),
      ]
    },
    act: (owner, { path, mode, recursive, only }, signal) =>
      owner.chmod(path, mode, { recursive, only, signal }),
    observe: async (owner, { path }) => ({ mode: (await entryAt(owner, path))?.mode ?? null }),
    // the named folder gets its mode last, after its content
    state: async (owner, { path, mode, recursive }, before) => {
      const isGiven = Number.parseInt((await entryAt(owner, path))?.mode ?? '', 8) === mode
      if (!recursive) return isGiven ? 'wanted' : 'before'
      return isGiven && Number.parseInt(before.mode ?? '', 8) !== mode ? 'wanted' : 'other'
    },
  })
}

function lockStep(ownerOf: OwnerOf) {
  return ownerStep(ownerOf, {
    name: 'lock',
    title: ({ path, isLocked }: PathArgs & { readonly isLocked: boolean }) =>
      `${isLocked ? 'Lock' : 'Unlock'} ${path.path}`,
    preview: async (owner, { path, isLocked, recursive }) => {
      const { type, is_locked: wasLocked } = await owner.lockable(path)
      if (recursive && type === 'folder')
        return [`Reaches ${reachOf(await owner.preview((one) => one.dirsize(path)))}; links are left out`]
      return wasLocked === isLocked ? [isLocked ? 'It is locked already' : 'It is not locked'] : []
    },
    act: (owner, { path, isLocked, recursive }, signal) => owner.lock(path, isLocked, { recursive, signal }),
    irreversible: ({ recursive }) =>
      recursive ? 'which of the entries were locked before is not kept' : undefined,
    observe: async (owner, { path }) => ({ wasLocked: (await found(owner, path))?.is_locked ?? null }),
    undo: async (owner, { path, isLocked, recursive }, { wasLocked }) => {
      const now = (await found(owner, path))?.is_locked
      if (!recursive && wasLocked === !isLocked && now === isLocked)
        await owner.lock(path, wasLocked, { recursive })
    },
    state: async (owner, { path, isLocked }) =>
      (await found(owner, path))?.is_locked === isLocked ? 'wanted' : 'before',
  })
}

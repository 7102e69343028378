import type { TextPath } from '../paths.ts'
import { found, type OwnerOf } from './files.ts'
import { ownerStep } from './owner-step.ts'

interface PlaceArgs {
  readonly username: string
  readonly from: TextPath
  readonly to: TextPath
  readonly overwrite: boolean
  readonly into: boolean
}

interface PathArgs {
  readonly username: string
  readonly path: TextPath
  readonly recursive: boolean
}

/** The steps that move, copy and mark what stands in a home. */
export function arrangeSteps(ownerOf: OwnerOf) {
  return {
    move: ownerStep(ownerOf, {
      name: 'move',
      title: ({ from, to }: PlaceArgs) => `Move ${from.path} to ${to.path || 'the top'}`,
      act: (owner, { from, to, overwrite, into }, signal) => owner.move(from, to, { overwrite, into, signal }),
      state: async (owner, { from }) => ((await found(owner, from)) === undefined ? 'wanted' : 'before'),
    }),
    copy: ownerStep(ownerOf, {
      name: 'copy',
      title: ({ from, to }: PlaceArgs) => `Copy ${from.path} to ${to.path || 'the top'}`,
      act: (owner, { from, to, overwrite, into }, signal) => owner.copy(from, to, { overwrite, into, signal }),
    }),
    chmod: ownerStep(ownerOf, {
      name: 'chmod',
      title: ({ path, mode, recursive }: PathArgs & { readonly mode: number }) =>
        `Give ${path.path} the mode ${mode.toString(8)}${recursive ? ', with everything in it,' : ''}`,
      irreversible: 'the former modes are not kept',
      act: (owner, { path, mode, recursive }, signal) => owner.chmod(path, mode, { recursive, signal }),
    }),
    lock: ownerStep(ownerOf, {
      name: 'lock',
      title: ({ path, isLocked }: PathArgs & { readonly isLocked: boolean }) => `${isLocked ? 'Lock' : 'Unlock'} ${path.path}`,
      act: (owner, { path, isLocked, recursive }, signal) => owner.lock(path, isLocked, { recursive, signal }),
      state: async (owner, { path, isLocked }) => ((await found(owner, path))?.is_locked === isLocked ? 'wanted' : 'before'),
    }),
  }
}

import type { Owner } from '../../../host/owner/index.ts'
import type { HistoryRecorder } from '../history/history-recorder.ts'
import { childOf, type TextPath } from '../paths.ts'
import { found, type OwnerOf } from './files.ts'
import { ownerStep } from './owner-step.ts'
import { entryAt, recordEntry, stateOfCopy } from './existing-entry.ts'
import { placeOf, reachOf } from './plan-text.ts'

interface PlaceArgs {
  readonly username: string
  readonly from: TextPath
  readonly to: TextPath
  readonly overwrite: boolean
  readonly into: boolean
  /** The panel user to record in the history. */
  readonly by: number
}

/** Returns the steps that move and copy files and folders in a home. */
export function arrangeSteps(ownerOf: OwnerOf, recorder: HistoryRecorder) {
  return {
    move: ownerStep(ownerOf, {
      name: 'move',
      title: ({ from, to }: PlaceArgs) => `Move ${from.path} to ${to.path || 'the top'}`,
      preview: async (owner, { from, to, overwrite, into }) => [
        placeOf(await owner.preview((one) => one.move(from, to, { overwrite, into }))),
      ],
      act: async (owner, args, signal) => {
        const { username, from, to, overwrite, into } = args
        const target = await targetOf(owner, args)
        await onto(recorder, 'move', args, target, () => owner.move(from, to, { overwrite, into, signal }))
        await recorder.follow(username, from, target)
      },
      observe: async () => null,
      state: async (owner, { from }) => ((await found(owner, from)) === undefined ? 'wanted' : 'before'),
    }),
    copy: ownerStep(ownerOf, {
      name: 'copy',
      title: ({ from, to }: PlaceArgs) => `Copy ${from.path} to ${to.path || 'the top'}`,
      preview: async (owner, { from, to, overwrite, into }) => {
        const copied = await owner.preview((one) => one.copy(from, to, { overwrite, into }))
        return [placeOf(copied), `Copies ${reachOf(copied)}`]
      },
      act: async (owner, args, signal) => {
        const { from, to, overwrite, into } = args
        await onto(recorder, 'copy', args, await targetOf(owner, args), () =>
          owner.copy(from, to, { overwrite, into, signal }),
        )
      },
      observe: async (owner, args) => recordEntry(owner, await targetOf(owner, args)),
      state: async (owner, { from }, before) =>
        stateOfCopy(await entryAt(owner, from), before, await entryAt(owner, before.path)),
    }),
  }
}

/** Returns the actual destination: with the option for it, an existing folder receives the entry. */
async function targetOf(owner: Owner, { from, to, into }: PlaceArgs): Promise<TextPath> {
  if (!into) return to
  const inside = await owner.stat({ ...to, path: `${to.path.replace(/\/+$/, '')}/` }).then(
    ({ type }) => type === 'folder',
    () => false, // not a folder, or missing: the move itself reports the error
  )
  return inside ? childOf(to, { ...from, path: from.path.replace(/\/+$/, '').split('/').at(-1) ?? '' }) : to
}

function onto(
  recorder: HistoryRecorder,
  through: 'move' | 'copy',
  { username, by, overwrite }: PlaceArgs,
  target: TextPath,
  work: () => Promise<unknown>,
) {
  const done = async () => void (await work())
  return overwrite ? recorder.replacing({ username, path: target, by, through }, done) : done()
}

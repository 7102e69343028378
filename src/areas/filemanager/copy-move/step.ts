import type { StepKind, StepRun } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { finalStep } from '../../../core/steps.ts'
import type { ArchiveProgress, Owner } from '../../../host/owner/index.ts'
import type { HistoryRecorder } from '../history/history-recorder.ts'
import { namesOf } from '../paths.ts'
import { entryAt } from '../steps/existing-entry.ts'
import type { OwnerOf } from '../steps/files.ts'
import { place, type Placed } from './place.ts'
import { previewPlaces } from './preview.ts'
import { failedFor } from './problems.ts'

type Verb = 'copy' | 'move'

interface PlaceArgs {
  readonly username: string
  readonly verb: Verb
  /** The panel user to record in the history. */
  readonly by: number
  readonly places: readonly Placed[]
}

interface Before {
  /** For each place, whether something was there. */
  readonly taken: readonly boolean[]
}

/** Returns the step that copies or moves many entries. Each is placed completely or not at all, and a failed one does not stop the others. */
export function placeStep(ownerOf: OwnerOf, recorder: HistoryRecorder): StepKind<PlaceArgs, Before, null> {
  return finalStep({
    name: 'filemanager.place',
    plan: ({ username, verb, places }) => ({
      title: `${verb === 'copy' ? 'Copy' : 'Move'} ${namesOf(places.map(({ from }) => from))} of ${username}`,
    }),
    why: 'what was placed stays, and replaced files are kept in the history alone',
    preview: async ({ username, verb, places }) => ({
      details: await previewPlaces(await ownerOf(username), verb, places),
    }),
    observe: async ({ username, places }) => {
      const owner = await ownerOf(username)
      const taken: boolean[] = []
      for (const { to } of places) taken.push((await entryAt(owner, to)) !== undefined)
      return { taken }
    },
    act: async (args, run) => {
      await placeAll({ owner: await ownerOf(args.username), recorder }, args, run)
      return null
    },
    isDone: async (args, { taken }) => isPlaced(await ownerOf(args.username), args, taken),
  })
}

async function placeAll(
  { owner, recorder }: { readonly owner: Owner; readonly recorder: HistoryRecorder },
  { username, verb, by, places }: PlaceArgs,
  { signal, progress }: StepRun<unknown>,
): Promise<void> {
  const failures: Problem[] = []
  const report = reportProgress(places, verb, progress)
  for (const [index, placed] of places.entries()) {
    const onProgress = (done: ArchiveProgress) => report(index, done)
    if (index > 0) report(index)
    await place({ owner, recorder, verb, username, by, signal, onProgress }, placed).catch(
      (error: unknown) => {
        if (signal.aborted || !(error instanceof Problem)) throw error
        failures.push(error)
      },
    )
  }
  if (failures.length > 0) throw failedFor(places.length, failures)
}

/** True if all are placed, false if none is; undefined if some are, or a folder may be merged in part. */
async function isPlaced(
  owner: Owner,
  { verb, places }: PlaceArgs,
  taken: readonly boolean[],
): Promise<boolean | undefined> {
  let count = 0
  for (const [index, { from, to, overwrite }] of places.entries()) {
    if (taken[index] === true && overwrite) return undefined
    const isThere = taken[index] === false && (await entryAt(owner, to)) !== undefined
    if (isThere && (verb === 'copy' || (await entryAt(owner, from)) === undefined)) count++
  }
  if (count === places.length) return true
  return count === 0 ? false : undefined
}

const eachMs = 500

/** Reports the progress of the whole step, with equal weight for each entry. */
function reportProgress(
  places: readonly Placed[],
  verb: Verb,
  progress: StepRun<unknown>['progress'],
): (index: number, done?: ArchiveProgress) => void {
  let reportedAt = performance.now()
  return (
    index,
    { entries, readBytes, archiveBytes } = { entries: 0, bytes: 0, readBytes: 0, archiveBytes: 0 },
  ) => {
    if (performance.now() - reportedAt < eachMs) return
    reportedAt = performance.now()
    const part = archiveBytes === 0 ? 0 : Math.min(1, readBytes / archiveBytes)
    const count = `${entries} ${entries === 1 ? 'entry' : 'entries'} ${verb === 'copy' ? 'copied' : 'moved'}`
    const message = places.length === 1 ? count : `${index + 1} of ${places.length}: ${nameOf(places[index])}`
    progress(Math.min(99, ((index + part) / places.length) * 100), message)
  }
}

function nameOf(placed: Placed | undefined): string {
  return (placed?.from.path.replace(/\/+$/, '').split('/').at(-1) ?? '').toWellFormed()
}

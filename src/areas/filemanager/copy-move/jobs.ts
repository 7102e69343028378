import Type, { type Static } from 'typebox'
import type { JobRun } from '../../../core/job.ts'
import { Problem } from '../../../core/problem.ts'
import { Prose, Text } from '../../../core/schemas.ts'
import type { ArchiveProgress } from '../../../host/owner/index.ts'
import { type Context, job } from '../context.ts'
import { hourMs } from '../endpoints/target.ts'
import { placeKinds } from '../job-kinds.ts'
import { place, type Placed } from './place.ts'
import { failedFor } from './problems.ts'

const Path = Type.Object({ field: Text(40), path: Prose(4096) })
const Input = Type.Object({
  username: Text(64),
  by: Type.Integer(),
  places: Type.Array(Type.Object({ from: Path, to: Path, overwrite: Type.Boolean() })),
})

/** The copy and move jobs. Each entry is transferred completely or not at all, and a failed entry does not stop the others. */
export const placeJobs = (['copy', 'move'] as const).map((verb) =>
  job({
    kind: placeKinds[verb],
    lane: 'files',
    input: Input,
    timeoutMs: 6 * hourMs,
    attempts: 1,
    resumes: false,
    run: (run) => placeAll(verb, run),
  }),
)

type Run = JobRun<Static<typeof Input>> & Context

async function placeAll(verb: 'copy' | 'move', run: Run): Promise<{ readonly placed: number }> {
  const { username, by, places } = run.input
  const owner = await run.filemanager.ownerOf(username)
  const failures: Problem[] = []
  const report = reportProgress(run, verb)
  for (const [index, placed] of places.entries()) {
    const onProgress = (done: ArchiveProgress) => report(index, done)
    if (index > 0) report(index)
    await place(
      { owner, recorder: run.filemanager.recorder, verb, username, by, signal: run.signal, onProgress },
      placed,
    ).catch((error: unknown) => {
      if (run.signal.aborted || !(error instanceof Problem)) throw error
      failures.push(error)
    })
  }
  if (failures.length === 0) return { placed: places.length }
  throw failedFor(places.length, failures)
}

const eachMs = 500

/** Reports the progress of the whole job, with equal weight for each entry. */
function reportProgress(
  { input: { places }, progress }: Run,
  verb: 'copy' | 'move',
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
    progress(Math.min(99, ((index + part) / places.length) * 100), message).catch(() => {}) // a job whose events cannot be written fails at its end with that error
  }
}

function nameOf(placed: Placed | undefined): string {
  return (placed?.from.path.replace(/\/+$/, '').split('/').at(-1) ?? '').toWellFormed()
}

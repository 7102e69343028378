import Type from 'typebox'
import type { JobRun } from '../../core/job.ts'
import { Optional, Prose, Text } from '../../core/schemas.ts'
import { Problem } from '../../core/problem.ts'
import type { ArchiveProgress, Owner } from '../../host/owner/index.ts'
import { job } from './context.ts'
import { findFreeName, moveToFreeName } from './free-name.ts'
import { hourMs } from './endpoints/target.ts'
import { extractArchive } from './extraction.ts'
import { messageOf } from './extraction-summary.ts'
import { compressKind, extractKind } from './job-kinds.ts'
import type { TextPath } from './paths.ts'
import { previewPacking } from './steps/archives.ts'

const NamedPath = Type.Object({ field: Text(40), path: Prose(4096) })
const eachMs = 500

const compressJob = job({
  kind: compressKind,
  lane: 'files',
  input: Type.Object({
    username: Text(64),
    paths: Type.Array(NamedPath),
    archive: Prose(255),
    folder: Type.Optional(NamedPath),
  }),
  timeoutMs: 6 * hourMs,
  attempts: 1,
  resumes: false,
  run: async (run) => {
    const { username, paths, archive, folder } = run.input
    const owner = await run.filemanager.ownerOf(username)
    const { archive: made, bytes } = await owner.archives.compress(paths, archive, {
      signal: run.signal,
      onProgress: reportProgress(run, 'packed'),
    })
    const used = folder === undefined ? made : await moveToFreeName(owner, made, { folder, name: archive })
    return { archive: used.toWellFormed(), size_bytes: bytes }
  },
})

const extractJob = job({
  kind: extractKind,
  lane: 'files',
  input: Type.Object({
    username: Text(64),
    archive: NamedPath,
    dest: NamedPath,
    by: Optional(Type.Integer()),
  }),
  timeoutMs: 6 * hourMs,
  attempts: 1,
  resumes: false,
  run: async (run) => {
    const { by = null, ...asked } = run.input
    return extractArchive(
      run.filemanager.recorder,
      { ...asked, by },
      { signal: run.signal, onProgress: reportProgress(run, 'unpacked') },
    )
  },
})

/** The compress and extract jobs. A job that a restart of the panel interrupts leaves nothing behind and ends as interrupted. */
export const archiveJobs = [compressJob, extractJob]

/** Describes the result of a compress job; throws the problem that the job would fail with. */
export async function previewCompress(
  owner: Owner,
  paths: readonly TextPath[],
  archive: string,
  folder?: TextPath,
): Promise<readonly string[]> {
  const [makes = '', ...rest] = await previewPacking(owner, paths, archive)
  return [
    folder === undefined ? makes : `Makes ${await findFreeName(owner, { folder, name: archive })}`,
    ...rest,
  ]
}

/** Limit on reading an archive for a plan. Early failures are still found, and a large archive does not delay the caller. */
const mostMs = 5000

/** Describes the result of an extract job; throws the problem that the job would fail with if it is found within `limitMs`. */
export async function previewExtract(
  owner: Owner,
  archive: TextPath,
  dest: TextPath,
  limitMs = mostMs,
): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(limitMs)
  try {
    return messageOf(await owner.archives.look(archive, dest, { signal }))
  } catch (error) {
    if (!signal.aborted || error instanceof Problem) throw error
    return [
      'The archive is too large to be read for a plan: the finished job reports what it made and replaced',
    ]
  }
}

function reportProgress({ progress }: JobRun<unknown>, verb: string): (done: ArchiveProgress) => void {
  let reportedAt = -Infinity
  return ({ entries, readBytes, archiveBytes }) => {
    if (performance.now() - reportedAt < eachMs) return
    reportedAt = performance.now()
    const percent = archiveBytes === 0 ? null : Math.min(99, (readBytes / archiveBytes) * 100)
    progress(percent, entries === 0 ? 'Working' : `${entries} entries ${verb}`).catch(() => {}) // a job whose events cannot be written fails at its end with that error
  }
}

import Type from 'typebox'
import type { JobRun } from '../../core/job.ts'
import { Prose, Text } from '../../core/schemas.ts'
import type { ArchiveProgress } from '../../host/owner/index.ts'
import { job } from './context.ts'
import { hourMs } from './endpoints/asked.ts'

export const compressKind = 'filemanager.compress'
export const extractKind = 'filemanager.extract'

const NamedPath = Type.Object({ field: Text(40), path: Prose(4096) })
const eachMs = 500

const compressJob = job({
  kind: compressKind,
  lane: 'files',
  input: Type.Object({ username: Text(64), paths: Type.Array(NamedPath), archive: Prose(255) }),
  timeoutMs: 6 * hourMs,
  attempts: 1,
  resumes: false,
  run: async (run) => {
    const { username, paths, archive } = run.input
    const { archives } = await run.filemanager.vcs.ownerOf(username)
    const { archive: used, bytes } = await archives.compress(paths, archive, { signal: run.signal, onProgress: telling(run, 'packed') })
    return { archive: used, size_bytes: bytes }
  },
})

const extractJob = job({
  kind: extractKind,
  lane: 'files',
  input: Type.Object({ username: Text(64), archive: NamedPath, dest: NamedPath }),
  timeoutMs: 6 * hourMs,
  attempts: 1,
  resumes: false,
  run: async (run) => {
    const { username, archive, dest } = run.input
    const { archives } = await run.filemanager.vcs.ownerOf(username)
    const { entries, bytes } = await archives.extract(archive, dest, { signal: run.signal, onProgress: telling(run, 'unpacked') })
    return { files: entries, size_bytes: bytes }
  },
})

/** The jobs that pack and unpack. What a restart of the panel interrupts leaves nothing behind, and is told as interrupted. */
export const archiveJobs = [compressJob, extractJob]

function telling({ progress }: JobRun<unknown>, verb: string): (done: ArchiveProgress) => void {
  let toldAt = -Infinity
  return ({ entries, readBytes, archiveBytes }) => {
    if (performance.now() - toldAt < eachMs) return
    toldAt = performance.now()
    const percent = archiveBytes === 0 ? null : Math.min(99, (readBytes / archiveBytes) * 100)
    progress(percent, entries === 0 ? 'Working' : `${entries} entries ${verb}`).catch(() => {}) // a job whose events cannot be written fails at its end, and says so
  }
}

import type { Readable } from 'node:stream'
import { problem } from '../../core/problem.ts'
import type { Owner } from '../../host/owner/index.ts'
import type { RunResult } from '../../host/run.ts'
import { outputOf } from '../program-output.ts'

export const ArchiveFailed = problem('backup_failed', 500, 'tar failed')

/** The folder that is packed, and the snapshot file that tar reads and rewrites; both absolute, in the home. */
interface Packing {
  readonly folder: string
  readonly snapshot: string
  readonly signal: AbortSignal
}

const limitMs = 12 * 3_600_000
const attributes = ['--acls', '--xattrs', '--xattrs-include=user.*']
/** The owner's websites go first. */
const gently = ['/usr/bin/nice', '-n', '10', '/usr/bin/ionice', '-c', '3'] as const

/**
 * Packs what has changed in a folder since its snapshot as a gzipped archive, under the owner's uid; with an
 * empty snapshot, everything. What the owner cannot read is left out. Destroying the stream ends it.
 */
export const pack = (owner: Owner, { folder, snapshot, signal }: Packing): Readable =>
  outputOf(
    async (options) =>
      changedMeanwhile(await owner.run(packArgv(folder, snapshot), { ...options, timeoutMs: limitMs })),
    failureOf,
    signal,
  )

const packArgv = (folder: string, snapshot: string): readonly [string, ...string[]] => [
  ...gently,
  '/usr/bin/tar',
  '--create',
  '--format=posix',
  '--sparse',
  ...attributes,
  '--no-check-device',
  '--ignore-failed-read',
  `--listed-incremental=${snapshot}`,
  '--use-compress-program=/usr/bin/gzip -1',
  `--directory=${folder}`,
  '.',
]

/** Status 1: a file changed while it was read. The archive is whole, with one of its states. */
const changedMeanwhile = (result: RunResult): RunResult =>
  result.code === 1 ? { ...result, code: 0 } : result

/** Unpacks one archive of a chain into a folder, under the owner's uid; an increment also removes what was removed. */
export async function unpack(
  owner: Owner,
  archive: Readable,
  { folder, signal }: Pick<Packing, 'folder' | 'signal'>,
): Promise<void> {
  const { promise: broken, reject } = Promise.withResolvers<never>()
  broken.catch(() => {})
  archive.once('error', reject)
  await openFolders(owner, folder, signal)
  const result = await owner.run(unpackArgv(folder), { input: archive, signal, timeoutMs: limitMs })
  if (archive.errored !== null && archive.errored !== undefined && !isAbandoned(archive.errored)) await broken
  signal.throwIfAborted()
  if (result.code !== 0) throw failureOf(result)
}

/** An increment removes entries also of folders that are read-only; it brings the modes of all folders with it. */
async function openFolders(owner: Owner, folder: string, signal: AbortSignal): Promise<void> {
  const closed = ['-type', 'd', '!', '-perm', '-u=rwx'] as const
  const argv = ['/usr/bin/find', folder, ...closed, '-exec', '/usr/bin/chmod', 'u+rwx', '{}', ';'] as const
  const { code, stderr } = await owner.run(argv, { signal, timeoutMs: limitMs })
  signal.throwIfAborted()
  if (code !== 0) throw ArchiveFailed(`find: ${stderr.trim().slice(0, 500)}`)
}

/** A stream that tar did not read to its end is closed by the runner. */
const isAbandoned = (error: Error): boolean => 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'

const unpackArgv = (folder: string): readonly [string, ...string[]] => [
  ...gently,
  '/usr/bin/tar',
  '--extract',
  '--gzip',
  '--preserve-permissions',
  ...attributes,
  '--listed-incremental=/dev/null',
  `--directory=${folder}`,
  '--file=-',
]

const failureOf = ({ stderr, code }: RunResult): Error =>
  ArchiveFailed(`tar: ${stderr.trim().slice(-2000) || `it ended with ${code}`}`)

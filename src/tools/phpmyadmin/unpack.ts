import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import type { StepKind, StepRun } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import { ArchiveRefused } from '../../host/releases/index.ts'
import { renderPointer } from './configuration.ts'
import { applicationDirectory, directory, innerDirectory, signOnScript, versionsDirectory } from './layout.ts'
import { DownloadFailed, ExtractFailed } from './problems.ts'
import { renderSignOn } from './sign-on.ts'
import { archivePath, openArchive, type Release, type Source } from './source.ts'

type Unpacking = Pick<Host, 'fetch' | 'files' | 'releases'>

interface UnpackArgs extends Release {
  /** Base addresses, each asked where the one before does not have the archive. */
  readonly bases: readonly string[]
}

/** Of the step, for the download; the rest is unpacking. */
const downloadPercent = 70

/** The step that downloads a version, verifies it and unpacks it, owned by root, beside the one that is served. */
export function unpackRelease(on: Unpacking): StepKind<UnpackArgs, null, null> {
  const { files, releases } = on
  const archive = `${directory}/download.tar.gz`
  return {
    name: 'phpmyadmin.unpack',
    plan: ({ version, bases, sha256 }) => ({
      title: `Download and unpack phpMyAdmin ${version}`,
      details: [
        `From ${bases.map((base) => `${base.replace(/\/$/, '')}/${archivePath(version)}`).join(' or ')}`,
        `Its SHA-256 must be ${sha256}`,
      ],
    }),
    observe: async () => null,
    act: async (args, step) => {
      await files.makeDirectory(directory, { mode: 0o711 })
      await files.makeDirectory(versionsDirectory)
      try {
        await download({ fetch: on.fetch, bases: args.bases }, { files, archive }, args, step)
        step.progress(downloadPercent, `Unpack phpMyAdmin ${args.version}`)
        await place(on, archive, args, step.signal)
        return null
      } finally {
        await files.remove(archive)
      }
    },
    undo: async ({ version }) => {
      await files.remove(archive)
      await releases.remove(files.real(directory), version)
      await files.removeDirectory(versionsDirectory)
      await files.removeDirectory(directory)
    },
    check: async ({ version }) => ((await isUnpacked(files, version)) ? 'wanted' : 'before'),
  }
}

/** True if a version is whole. */
export async function isUnpacked(files: Host['files'], version: string): Promise<boolean> {
  return (await files.facts(`${applicationDirectory(version)}/${signOnScript}`)) !== undefined
}

interface Destination {
  readonly files: Host['files']
  readonly archive: string
}

async function download(
  source: Source,
  { files, archive }: Destination,
  { version, sha256 }: Release,
  { signal, progress }: StepRun<null>,
): Promise<void> {
  const onProgress = (end: number, size: number | undefined) =>
    progress(
      size === undefined ? null : Math.round((end / size) * downloadPercent),
      `Download phpMyAdmin ${version}`,
    )
  const { stream } = await openArchive(source, version, { signal, onProgress })
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  stream.on('error', (error) => hashed.destroy(error))
  try {
    await files.store(archive, stream.pipe(hashed), signal)
  } catch (cause) {
    const isOfDownload =
      cause instanceof Problem && ['download_failed', 'bad_request'].includes(cause.kind.code)
    throw isOfDownload ? DownloadFailed(cause.message.replace(/^url: /, ''), { cause }) : cause
  }
  const found = hash.digest('hex')
  if (found !== sha256)
    throw DownloadFailed(`${archivePath(version)} has the SHA-256 ${found}, and ${sha256} was published`)
}

/** What the panel adds is written before the version has its name: a version is never served in part. */
async function place(
  { files, releases }: Unpacking,
  archive: string,
  { version }: Release,
  signal: AbortSignal,
): Promise<void> {
  try {
    const archiveFile = { archive: files.real(archive), signal, isForeign: true }
    await releases.unpack(files.real(directory), version, archiveFile)
  } catch (error) {
    if (error instanceof ArchiveRefused) throw ExtractFailed(error.message, { cause: error })
    throw error
  }
  const fresh = `${versionsDirectory}/.new-${version}/${innerDirectory(version)}`
  if ((await files.facts(`${fresh}/index.php`))?.kind !== 'file')
    throw ExtractFailed(`The archive has no ${innerDirectory(version)}/index.php`)
  await files.removeTree(`${fresh}/setup`) // its configuration is written by the panel
  await files.write(`${fresh}/config.inc.php`, renderPointer())
  await files.write(`${fresh}/${signOnScript}`, renderSignOn())
  await files.remove(archive)
  await releases.place(files.real(directory), version)
}

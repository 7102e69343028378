import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import type { StepKind, StepRun } from '../../core/change.ts'
import type { Host } from '../../host/index.ts'
import { ArchiveRefused } from '../../host/releases/index.ts'
import { UpdateFailed } from './problems.ts'
import { asker } from './release-index.ts'

/** The release to unpack. */
export interface UnpackArgs {
  readonly version: string
  readonly architecture: string
  readonly url: string
  readonly sha256: string
}

type Unpacking = Pick<Host, 'fetch' | 'files' | 'releases' | 'run'> & {
  readonly folder: string
  readonly dataDir: string
}

const mostBytes = 512 * 1024 * 1024
const trialMs = 180_000
/** Of the job, for the download; the rest is unpacking and the trial. */
const downloadPercent = 70

/** Makes the kind of step that puts a verified release beside the running version. */
export function unpackStep(on: Unpacking): StepKind<UnpackArgs, null, null> {
  const { files, releases, folder, dataDir } = on
  const archive = `${dataDir}/selfupdate.tar.gz`
  return {
    name: 'selfupdate.unpack',
    plan: ({ version, url }) => ({
      title: `Fetch and verify version ${version}`,
      details: [`From ${url}`, 'Its migrations are tried on a copy of the store'],
    }),
    observe: async () => null,
    act: async (args, step) => {
      try {
        await download(on, archive, args, step)
        step.progress(downloadPercent, `Unpack version ${args.version}`)
        const fresh = await releases.unpack(folder, args.version, {
          archive: files.real(archive),
          signal: step.signal,
        })
        await assertFits(files, fresh, args)
        step.progress(85, 'Try the migrations on a copy of the store')
        await tryMigrations(on, fresh, step.signal)
        await releases.place(folder, args.version)
        return null
      } catch (error) {
        if (error instanceof ArchiveRefused) throw UpdateFailed(error.message, { cause: error })
        throw error
      } finally {
        await files.remove(archive)
      }
    },
    undo: async ({ version }) => {
      await files.remove(archive)
      await releases.remove(folder, version)
    },
    check: async ({ version }) => ((await releases.list(folder)).includes(version) ? 'wanted' : 'before'),
    notUndone: 'hostreeve rollback returns to the version before',
  }
}

async function download(
  { fetch, files }: Unpacking,
  archive: string,
  { version, url, sha256 }: UnpackArgs,
  { signal, progress }: StepRun<null>,
): Promise<void> {
  const onProgress = (end: number, size: number | undefined) =>
    progress(
      size === undefined ? null : Math.round((end / size) * downloadPercent),
      `Download version ${version}`,
    )
  const { stream } = await fetch.open({ url, asker, maxBytes: mostBytes, signal, onProgress })
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  stream.on('error', (error) => hashed.destroy(error))
  await files.store(archive, stream.pipe(hashed), signal)
  if (hash.digest('hex') !== sha256)
    throw UpdateFailed(`The archive of version ${version} is not the one that was signed`)
}

/** The archive says itself what it is: an index may name another. */
async function assertFits(
  files: Host['files'],
  fresh: string,
  { version, architecture }: UnpackArgs,
): Promise<void> {
  const about: { readonly version?: unknown; readonly architecture?: unknown } = JSON.parse(
    (await files.read(`${fresh}/package.json`)) ?? '{}',
  )
  if (about.version !== version)
    throw UpdateFailed(`The archive of version ${version} contains version ${String(about.version)}`)
  if (about.architecture !== architecture)
    throw UpdateFailed(
      `The archive of version ${version} is for the architecture ${String(about.architecture)}, not ${architecture}`,
    )
}

async function tryMigrations({ run, dataDir }: Unpacking, fresh: string, signal: AbortSignal): Promise<void> {
  const argv = [`${fresh}/bin/node`, `${fresh}/dist/hostreeve.mjs`, 'try-migrations', dataDir] as const
  const { code, stderr } = await run(argv, { timeoutMs: trialMs, signal })
  if (code !== 0)
    throw UpdateFailed(`The new version does not accept a copy of the store: ${stderr.trim().slice(-500)}`)
}

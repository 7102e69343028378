import type { StepKind } from '../../core/change.ts'
import type { Host } from '../../host/index.ts'
import { ArchiveRefused } from '../../host/releases/index.ts'
import { downloadVerified, goArchitecture, type Publisher, readPublished } from '../verified-download.ts'
import { directory, innerDirectory, programDirectory, version, versionsDirectory } from './layout.ts'
import { DownloadFailed, UnpackFailed } from './problems.ts'

/** An archive and its SHA-256, as its publisher states it. */
interface Release {
  readonly file: string
  readonly sha256: string
}

interface UnpackArgs extends Release {
  /** Base addresses, each asked where the one before does not have the archive. */
  readonly bases: readonly string[]
}

const mostBytes = 256 * 1024 * 1024

/** The base addresses have the layout of the packages of tailscale. */
export const publisherOf = (fetch: Host['fetch'], bases: readonly string[]): Publisher => ({
  ...{ fetch, bases, setting: 'tailscale_url', failed: DownloadFailed },
})

/** The name of this machine's architecture; throws DownloadFailed if there is no archive for it. */
export function architectureHere(): string {
  const architecture = goArchitecture()
  if (architecture === undefined)
    throw DownloadFailed(`The panel has no mesh client for this machine (${process.arch})`)
  return architecture
}

/** Reads what the archive for this machine must be; throws DownloadFailed. */
export async function readRelease(publisher: Publisher): Promise<Release> {
  const file = `tailscale_${version}_${architectureHere()}.tgz`
  const statement = await readPublished(publisher, `${file}.sha256`)
  const [, sha256] = /^([0-9a-f]{64})(?:\s|$)/i.exec(statement.trim()) ?? []
  if (sha256 === undefined) throw DownloadFailed(`${file}.sha256 must begin with 64 hexadecimal digits`)
  return { file, sha256: sha256.toLowerCase() }
}

/** True if the programs are there and whole. */
export async function isUnpacked({ files }: Pick<Host, 'files'>): Promise<boolean> {
  return (await files.facts(`${programDirectory(architectureHere())}/tailscaled`)) !== undefined
}

/** The step that downloads the mesh client, verifies it and unpacks it. */
export function unpack(on: Pick<Host, 'fetch' | 'files' | 'releases'>): StepKind<UnpackArgs, null, null> {
  const { files, releases } = on
  const archive = `${directory}/download.tgz`
  return {
    name: 'tailscale.unpack',
    plan: ({ file, sha256, bases }) => ({
      title: `Download and unpack tailscale ${version}`,
      details: [
        `From ${bases.map((base) => `${base.replace(/\/$/, '')}/${file}`).join(' or ')}`,
        `Its SHA-256 must be ${sha256}`,
      ],
    }),
    observe: async () => null,
    act: async ({ bases, file, sha256 }, { signal, progress }) => {
      await files.makeDirectory(directory, { mode: 0o755 })
      await files.makeDirectory(versionsDirectory)
      const onProgress = (end: number, size: number | undefined) =>
        progress(size === undefined ? null : Math.round((end / size) * 100), `Download tailscale ${version}`)
      try {
        await downloadVerified(publisherOf(on.fetch, bases), files, {
          ...{ path: file, sha256, maxBytes: mostBytes, to: archive, signal, onProgress },
        })
        await place(on, archive, signal)
        return null
      } finally {
        await files.remove(archive)
      }
    },
    undo: async () => {
      await files.remove(archive)
      await releases.remove(files.real(directory), version)
      await files.removeDirectory(versionsDirectory)
      await files.removeDirectory(directory)
    },
    notUndone: 'the mesh client is removed by the uninstallation of the VPN gateway',
    check: async () => ((await isUnpacked(on)) ? 'wanted' : 'before'),
  }
}

async function place(
  { files, releases }: Pick<Host, 'files' | 'releases'>,
  archive: string,
  signal: AbortSignal,
): Promise<void> {
  const foreign = { archive: files.real(archive), signal, isForeign: true }
  try {
    await releases.unpack(files.real(directory), version, foreign)
  } catch (error) {
    if (error instanceof ArchiveRefused) throw UnpackFailed(error.message)
    throw error
  }
  const fresh = `${versionsDirectory}/.new-${version}/${innerDirectory(architectureHere())}`
  for (const name of ['tailscale', 'tailscaled'])
    if ((await files.facts(`${fresh}/${name}`))?.kind !== 'file')
      throw UnpackFailed(`The archive has no ${innerDirectory(architectureHere())}/${name}`)
  await releases.place(files.real(directory), version)
}

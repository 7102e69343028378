import type { StepKind } from '../../core/change.ts'
import type { Host } from '../../host/index.ts'
import { downloadVerified, goArchitecture, type Publisher, readPublished } from '../verified-download.ts'
import { isOwn } from './configuration.ts'
import { configurationPath, programPath, version } from './layout.ts'
import { DownloadFailed, ForeignFiles } from './problems.ts'

/** The program that is downloaded, and its SHA-256 as it was published. */
interface Release {
  readonly file: string
  readonly sha256: string
}

interface ProgramArgs extends Release {
  /** Base addresses, each asked where the one before does not have the file. */
  readonly bases: readonly string[]
}

const mostBytes = 256 * 1024 * 1024

/** The base addresses have the layout of the releases of headscale. */
export const publisherOf = (fetch: Host['fetch'], bases: readonly string[]): Publisher => ({
  ...{ fetch, bases, setting: 'headscale_url', failed: DownloadFailed },
})

/** Reads what the program of this machine must be; throws DownloadFailed. */
export async function readRelease(publisher: Publisher): Promise<Release> {
  const architecture = goArchitecture()
  if (architecture === undefined)
    throw DownloadFailed(`headscale is not built for this machine (${process.arch})`)
  const file = `headscale_${version}_linux_${architecture}`
  const list = await readPublished(publisher, `v${version}/checksums.txt`)
  const line = list.split('\n').find((each) => each.trim().split(/\s+\*?/)[1] === file)
  const [, sha256] = /^([0-9a-f]{64})\s/i.exec(line?.trim() ?? '') ?? []
  if (sha256 === undefined) throw DownloadFailed(`v${version}/checksums.txt has no SHA-256 of ${file}`)
  return { file, sha256: sha256.toLowerCase() }
}

/** Returns the version of the installed program; undefined if there is none that runs. */
export async function readVersion({ run, files }: Pick<Host, 'run' | 'files'>): Promise<string | undefined> {
  if ((await files.facts(programPath)) === undefined) return undefined
  const { code, stdout } = await run([files.real(programPath), 'version'], { timeoutMs: 10_000 })
  return code === 0 ? /v?(\d+\.\d+\.\d+)/.exec(stdout)?.[1] : undefined
}

interface Before {
  readonly version: string | null
}

/** The step that downloads the control server, verifies it and puts it in place. */
export function installProgram(
  on: Pick<Host, 'fetch' | 'files' | 'run'>,
): StepKind<ProgramArgs, Before, null> {
  const { files, run } = on
  const download = `${programPath}.hostreeve-download`
  return {
    name: 'headscale.install-program',
    plan: ({ file, sha256, bases }) => ({
      title: `Download headscale ${version}`,
      details: [
        `From ${bases.map((base) => `${base.replace(/\/$/, '')}/v${version}/${file}`).join(' or ')}`,
        `Its SHA-256 must be ${sha256}`,
      ],
    }),
    observe: async () => {
      const present = (await files.facts(programPath)) !== undefined
      if (present && !isOwn((await files.read(configurationPath)) ?? ''))
        throw ForeignFiles(`${programPath} is not of the panel: move it away first`)
      return { version: (await readVersion(on)) ?? null }
    },
    act: async ({ bases, file, sha256 }, { signal, progress }) => {
      const onProgress = (end: number, size: number | undefined) =>
        progress(size === undefined ? null : Math.round((end / size) * 100), `Download headscale ${version}`)
      try {
        await downloadVerified(publisherOf(on.fetch, bases), files, {
          ...{ path: `v${version}/${file}`, sha256, maxBytes: mostBytes, to: download, signal, onProgress },
        })
        const { code, stderr } = await run(['chmod', '0755', files.real(download)], { timeoutMs: 10_000 })
        if (code !== 0) throw DownloadFailed(`chmod: ${stderr.slice(0, 500)}`)
        await files.move(download, programPath)
        return null
      } finally {
        await files.remove(download)
      }
    },
    undo: async (_args, before) => {
      await files.remove(download)
      if (before.version === null) await files.remove(programPath)
    },
    notUndone: 'the control server is removed by its uninstallation',
    check: async (_args, before) => {
      const now = (await readVersion(on)) ?? null
      if (now === version) return 'wanted'
      return now === before.version ? 'before' : 'other'
    },
  }
}

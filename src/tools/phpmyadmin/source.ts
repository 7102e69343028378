import { Problem } from '../../core/problem.ts'
import type { Fetched } from '../../host/fetch/index.ts'
import type { Host } from '../../host/index.ts'
import { innerDirectory, isVersion } from './layout.ts'
import { DownloadFailed } from './problems.ts'

/** Where phpMyAdmin is downloaded from: base addresses with the official layout, each asked where the one before has no such file. */
export interface Source {
  readonly fetch: Host['fetch']
  readonly bases: readonly string[]
}

/** An archive and its SHA-256, as its publisher states it. */
export interface Release {
  readonly version: string
  readonly sha256: string
}

/** The addresses are a setting of the administrator, so they may be internal. */
const asker = { isAdmin: true }
const mostTextBytes = 64 * 1024
const mostArchiveBytes = 128 * 1024 * 1024
const textMs = 20_000

/** Reads which version is the newest and what its archive must be; throws DownloadFailed. */
export async function newestRelease(source: Source): Promise<Release> {
  const [version = ''] = (await readText(source, 'home_page/version.txt')).split(/\s/)
  if (!isVersion(version))
    throw DownloadFailed(
      `home_page/version.txt must begin with a version such as 5.2.1, not ${shown(version)}`,
    )
  const statement = await readText(source, `${archivePath(version)}.sha256`)
  const [, sha256] = /^([0-9a-f]{64})(?:\s|$)/i.exec(statement.trim()) ?? []
  if (sha256 === undefined)
    throw DownloadFailed(`${archivePath(version)}.sha256 must begin with 64 hexadecimal digits`)
  return { version, sha256: sha256.toLowerCase() }
}

/** The path of an archive below a base address. */
export const archivePath = (version: string): string =>
  `phpMyAdmin/${version}/${innerDirectory(version)}.tar.gz`

interface Opening {
  readonly path: string
  readonly signal: AbortSignal
  readonly onProgress?: (endBytes: number, sizeBytes: number | undefined) => void
}

/** Opens an archive at the first base address that has it; throws DownloadFailed. */
export const openArchive = (source: Source, version: string, rest: Omit<Opening, 'path'>): Promise<Fetched> =>
  open(source, mostArchiveBytes, { ...rest, path: archivePath(version) })

async function open(
  { fetch, bases }: Source,
  maxBytes: number,
  { path, ...rest }: Opening,
): Promise<Fetched> {
  const refusals: string[] = []
  for (const base of bases)
    try {
      const url = URL.parse(path, base.endsWith('/') ? base : `${base}/`)?.href ?? base
      return await fetch.open({ url, asker, maxBytes, ...rest })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refusals.push(error.message.replace(/^url: /, ''))
    }
  throw DownloadFailed(
    refusals.length === 0 ? 'There is no address to download from: set webadmin_url' : refusals.join('; '),
  )
}

async function readText(source: Source, path: string): Promise<string> {
  const signal = AbortSignal.timeout(textMs)
  try {
    const { stream } = await open(source, mostTextBytes, { path, signal })
    return Buffer.concat(await stream.toArray()).toString()
  } catch (cause) {
    if (signal.aborted) throw DownloadFailed(`${path}: there was no answer in time`, { cause })
    if (!(cause instanceof Problem) || cause.kind === DownloadFailed) throw cause
    throw DownloadFailed(`${path}: ${cause.message}`, { cause })
  }
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 50))

import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { Problem, Unavailable } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import { outputOf } from '../../tools/program-output.ts'
import type { AppEntry } from './catalog/entry.ts'
import { ArchiveWrong, DownloadFailed, PackageUnreadable } from './problems.ts'

/** Where the files of an application come from, as a step stores it. */
export type Source =
  | {
      readonly kind: 'package'
      readonly parent: string
      readonly folder: string
      /** Names in the folder that are left out; links among them may lead nowhere. */
      readonly omits: readonly string[]
    }
  | {
      readonly kind: 'archive'
      readonly url: string
      readonly folder: string
      readonly algorithm: 'sha1' | 'sha256'
      readonly checksum: string
      readonly maxBytes: number
    }
  /** The entry writes all of its files. */
  | { readonly kind: 'included' }

type Reaching = Pick<Host, 'run' | 'files' | 'fetch'>

/** An application is the same for everybody, so its address obeys the policy for everybody. */
const asker = { isAdmin: false }
const mebibyte = 1024 * 1024
const checksumMs = 20_000
const packMs = 600_000

/** Chooses where an application comes from: the package of the host, otherwise its archive with the checksum that it must have. */
export async function chooseSource(on: Reaching, entry: AppEntry, signal: AbortSignal): Promise<Source> {
  const found = entry.package
  if (found !== undefined && (await isWhole(on, found)))
    return { kind: 'package', parent: found.parent, folder: found.folder, omits: entry.omits }
  if (entry.archive === undefined) return { kind: 'included' }
  const { url, folder, checksum } = entry.archive
  return {
    ...{ kind: 'archive', url, folder, algorithm: checksum.algorithm, maxBytes: entry.archive_mb * mebibyte },
    checksum: 'value' in checksum ? checksum.value : await published(on, checksum, signal),
  }
}

/** True if the folder of a package is on this host, with what it takes from other packages. */
export async function isWhole(
  { files }: Pick<Reaching, 'files'>,
  { parent, folder, complete }: NonNullable<AppEntry['package']>,
): Promise<boolean> {
  const found = await Promise.all(complete.map((path) => hasFile(files, `${parent}/${folder}/${path}`)))
  return found.every(Boolean)
}

async function hasFile(files: Reaching['files'], path: string): Promise<boolean> {
  const [before = '', after] = path.split('/*/')
  if (after === undefined) return (await files.facts(path)) !== undefined
  for (const name of await files.list(before))
    if ((await files.facts(`${before}/${name}/${after}`)) !== undefined) return true
  return false
}

interface PublishedChecksum {
  readonly algorithm: 'sha1' | 'sha256'
  readonly url: string
}

/** Reads the checksum that the publisher states beside the archive. */
async function published(
  { fetch }: Pick<Reaching, 'fetch'>,
  { algorithm, url }: PublishedChecksum,
  signal: AbortSignal,
): Promise<string> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(checksumMs)])
  const { stream } = await downloading(url, fetch.open({ url, asker, maxBytes: 4096, signal: limit }))
  const text = await downloading(url, stream.toArray())
  const digits = algorithm === 'sha1' ? 40 : 64
  const [found] = new RegExp(`^[0-9a-f]{${digits}}(?=\\s|$)`, 'i').exec(Buffer.concat(text).toString()) ?? []
  if (found === undefined) throw ArchiveWrong(`${url} must begin with ${digits} hexadecimal digits`)
  return found.toLowerCase()
}

async function downloading<Value>(url: string, pending: Promise<Value>): Promise<Value> {
  try {
    return await pending
  } catch (cause) {
    if (cause instanceof Problem) throw DownloadFailed(cause.message.replace(/^url: /, ''), { cause })
    throw cause
  }
}

/** A tar file on its way into a home, and what has to be true once it is there. */
export interface Delivery {
  readonly stream: Readable
  /** Its name ends as its format does. */
  readonly name: string
  /** Throws unless what was delivered is what it must be. */
  verify(): void
}

/** Opens the archive of a source. */
export async function deliver(
  on: Reaching,
  source: Exclude<Source, { kind: 'included' }>,
  signal: AbortSignal,
): Promise<Delivery> {
  if (source.kind === 'package')
    return { stream: packed(on, source, signal), name: 'package.tar', verify: () => {} }
  const { url, algorithm, checksum, maxBytes } = source
  const { stream } = await downloading(url, on.fetch.open({ url, asker, maxBytes, signal }))
  const hash = createHash(algorithm)
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  stream.on('error', (error) =>
    hashed.destroy(error instanceof Problem ? DownloadFailed(error.message, { cause: error }) : error),
  )
  return {
    stream: stream.pipe(hashed),
    name: 'archive.tar.gz',
    verify: () => {
      const found = hash.digest('hex')
      if (found !== checksum)
        throw ArchiveWrong(`${url} has the ${algorithm} ${found}, and ${checksum} is expected`)
    },
  }
}

/** The folder belongs to root: its links are followed as root, so that the copy needs no other package. */
function packed(
  { run }: Pick<Reaching, 'run'>,
  { parent, folder, omits }: Extract<Source, { kind: 'package' }>,
  signal: AbortSignal,
): Readable {
  const argv = ['tar', '--create', '--dereference', '--hard-dereference', `--directory=${parent}`] as const
  const left = omits.map((name) => `--exclude=${folder}/${name}`)
  return outputOf(
    (limits) => run([...argv, ...left, '--', folder], { ...limits, timeoutMs: packMs }),
    ({ stderr, code }) => PackageUnreadable(stderr.trim().slice(0, 1000) || `tar ended with ${code}`),
    signal,
  )
}

/** Reads the version in the text of the file that tells it; null if it tells none. */
export function versionIn({ version }: Pick<AppEntry, 'version'>, text: string): string | null {
  return new RegExp(version.pattern, 'm').exec(text)?.[1] ?? null
}

/** Fails with 503 where the PHP of a version cannot run an application. */
export async function assertRuns(
  { files }: Pick<Reaching, 'files'>,
  { name, extensions }: AppEntry,
  version: string | null,
): Promise<void> {
  if (version === null) return
  const enabled = await extensionsOf({ files }, version, 'fpm')
  const missing = extensions.filter((each) => !enabled.includes(each))
  if (missing.length > 0)
    throw Unavailable(
      `php_version: ${name} needs ${missing.join(', ')}, which PHP ${version} does not have: install php${version}-${packageOf(missing[0]!)}`,
    )
}

const packageOf = (extension: string): string => (extension === 'mysqli' ? 'mysql' : extension)

/** Lists the extensions of a version, in the order in which they are loaded. */
export async function extensionsOf(
  { files }: Pick<Reaching, 'files'>,
  version: string,
  sort: 'fpm' | 'cli',
): Promise<readonly string[]> {
  const names = await files.list(`/etc/php/${version}/${sort}/conf.d`)
  return names.toSorted().flatMap((name) => /^\d+-([a-z0-9_]+)\.ini$/.exec(name)?.[1] ?? [])
}

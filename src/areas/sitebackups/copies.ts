import { createHash } from 'node:crypto'
import { Problem } from '../../core/problem.ts'
import { Semaphore } from '../../core/semaphore.ts'
import type { Files } from '../../host/files.ts'
import { ObjectRetained, type ObjectStore, type StoredObject } from '../../tools/s3/index.ts'
import { type Depot, manifestFile, type SiteName } from './depot.ts'
import { byTime, type Manifest, type Part, parseManifest } from './manifest.ts'
import { BackupDamaged, S3Failed } from './problems.ts'

/** The bucket that backups are copied to. */
export interface Bucket {
  readonly objects: ObjectStore
  /** What the keys of its objects begin with. */
  readonly prefix: string
}

/** A backup as it is copied. */
export interface Copying {
  readonly manifest: Manifest
  /** Returns the path of a part, and of the manifest. */
  readonly pathIn: (file: string) => string
}

/** The backups of a website that the bucket has. */
export interface CopiedSite {
  readonly site: SiteName
  /** By time. */
  readonly points: readonly Manifest[]
}

const mostManifestBytes = 8 * 1024 * 1024
const mostKnown = 20_000
const abandonMs = 30_000
/** How many requests of lists are sent at once. */
const mostRequests = 16

/** The copies of backups of websites on S3: `PREFIX/websites/USER/DOMAIN/BACKUP/FILE`. A copy without its manifest is not complete, and not listed. */
export class Copies {
  readonly #files: Files
  readonly #bucket: () => Promise<Bucket | undefined>
  /** Manifests never change: each is read once. */
  readonly #known = new Map<string, Manifest | undefined>()
  readonly #requests = new Semaphore(mostRequests)

  constructor(files: Files, bucket: () => Promise<Bucket | undefined>) {
    this.#files = files
    this.#bucket = bucket
  }

  /** True if backups are copied to S3. */
  async isOn(): Promise<boolean> {
    return (await this.#bucket()) !== undefined
  }

  /** Fails if backups are not copied to S3. */
  async assertOn(): Promise<void> {
    await this.#needed()
  }

  /** Lists the copies of the backups of a website by time; none where backups are not copied. */
  async points(site: SiteName, signal: AbortSignal): Promise<readonly Manifest[]> {
    return (await this.#list(site, signal))[0]?.points ?? []
  }

  /** Lists every website that has copies. */
  sites(signal: AbortSignal): Promise<readonly CopiedSite[]> {
    return this.#list(undefined, signal)
  }

  /** Copies a backup, whose manifest is stored last; what is left of a failed copy is removed. */
  async put(site: SiteName, { manifest, pathIn }: Copying, signal: AbortSignal): Promise<void> {
    const { objects, prefix } = await this.#needed()
    const { name, parts } = manifest
    await this.remove(site, [name], signal)
    try {
      for (const file of [...parts.map((part) => part.file), manifestFile])
        await objects.put(`${folderOf(prefix, site, name)}${file}`, this.#files.real(pathIn(file)), signal)
    } catch (error) {
      await this.remove(site, [name], AbortSignal.timeout(abandonMs)).catch(() => {}) // the failure of the copy is what is told
      throw error
    }
  }

  /** Fetches a backup into the depot, in which it is listed once it is complete and as it was stored. */
  async fetch(depot: Depot, site: SiteName, name: string, signal: AbortSignal): Promise<void> {
    const { objects, prefix } = await this.#needed()
    const manifest = await this.find(site, name, signal)
    await depot.begin(site, name)
    for (const part of manifest.parts) {
      const path = `${depot.unfinished(site, name)}/${part.file}`
      await objects.get(`${folderOf(prefix, site, name)}${part.file}`, this.#files.real(path), signal)
      const digest = createHash('sha256')
      for await (const chunk of this.#files.stream(path)) digest.update(chunk)
      if (digest.digest('hex') !== part.sha256)
        throw BackupDamaged(`${part.file} of ${name} on S3 is not as it was written: its SHA-256 differs`)
    }
    await depot.finish(site, manifest)
  }

  /** Reads a small part of a copy. */
  async read(site: SiteName, name: string, part: Part, signal: AbortSignal): Promise<Buffer> {
    const { objects, prefix } = await this.#needed()
    const bytes = await objects.read(`${folderOf(prefix, site, name)}${part.file}`, part.size_bytes, signal)
    if (createHash('sha256').update(bytes).digest('hex') !== part.sha256)
      throw BackupDamaged(`${part.file} of ${name} on S3 is not as it was written: its SHA-256 differs`)
    return bytes
  }

  /** Removes copies, each from its manifest on; returns those that S3 keeps until their retention ends, which stay whole. */
  async remove(site: SiteName, names: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const { objects, prefix } = await this.#needed()
    const kept: string[] = []
    for (const name of names)
      if (!(await removeFolder(objects, folderOf(prefix, site, name), signal))) kept.push(name)
    return kept
  }

  /** Ends what a kill left of the upload of a copy. */
  async endUploads(site: SiteName, name: string, signal: AbortSignal): Promise<void> {
    const { objects, prefix } = await this.#needed()
    await objects.endUploads(folderOf(prefix, site, name), signal)
  }

  /** Tells whether a copy is whole, a part of it is there, or nothing. */
  async stateOf(site: SiteName, name: string, signal: AbortSignal): Promise<'whole' | 'part' | 'none'> {
    const { objects, prefix } = await this.#needed()
    const folder = folderOf(prefix, site, name)
    const found = await objects.list(folder, signal)
    if (found.some(({ key }) => key === `${folder}${manifestFile}`)) return 'whole'
    return found.length === 0 ? 'none' : 'part'
  }

  /** Returns a copy by its name, or fails. */
  async find(site: SiteName, name: string, signal: AbortSignal): Promise<Manifest> {
    const found = (await this.points(site, signal)).find((point) => point.name === name)
    if (found === undefined) throw S3Failed(`name: S3 has no backup ${name} of ${site.domain}`)
    return found
  }

  async #needed(): Promise<Bucket> {
    const bucket = await this.#bucket()
    if (bucket === undefined)
      throw S3Failed(
        'source: backups are not copied to S3: set the S3 server in the settings of backups, and enable the copies',
      )
    return bucket
  }

  async #list(site: SiteName | undefined, signal: AbortSignal): Promise<readonly CopiedSite[]> {
    const bucket = await this.#bucket()
    if (bucket === undefined) return []
    const start = startOf(bucket.prefix)
    const below = site === undefined ? start : `${start}${site.username}/${site.domain}/`
    const listed = await this.#requests.run(() => bucket.objects.list(below, signal), { signal })
    const found = listed.flatMap((object) => {
      const [username, domain, name, file, ...more] = object.key.slice(start.length).split('/')
      const isManifest = object.key.startsWith(below) && file === manifestFile && more.length === 0
      return isManifest && username && domain && name ? [{ object, site: { username, domain }, name }] : []
    })
    const manifests = await Promise.all(
      found.map(async (each) => ({ ...each, manifest: await this.#manifest(bucket.objects, each, signal) })),
    )
    const bySite = Map.groupBy(manifests, (each) => `${each.site.username}/${each.site.domain}`)
    return [...bySite.values()].map((own) => ({
      site: own[0]!.site,
      points: own.flatMap(({ manifest }) => manifest ?? []).toSorted(byTime),
    }))
  }

  async #manifest(
    objects: ObjectStore,
    { object, site, name }: { readonly object: StoredObject; readonly site: SiteName; readonly name: string },
    signal: AbortSignal,
  ): Promise<Manifest | undefined> {
    const stamp = `${object.key} ${object.modifiedAt.getTime()} ${object.sizeBytes}`
    if (this.#known.has(stamp)) return this.#known.get(stamp)
    const read = () => objects.read(object.key, mostManifestBytes, signal)
    const parsed = parseManifest((await this.#requests.run(read, { signal })).toString())
    const isIts = parsed?.name === name && parsed.username === site.username && parsed.domain === site.domain
    if (this.#known.size >= mostKnown) this.#known.clear()
    this.#known.set(stamp, isIts ? parsed : undefined)
    return isIts ? parsed : undefined
  }
}

/** Removes the objects of a copy, the manifest first; false if the server must keep them: the manifest was stored last. */
async function removeFolder(objects: ObjectStore, folder: string, signal: AbortSignal): Promise<boolean> {
  const found = await objects.list(folder, signal)
  const isManifest = ({ key }: StoredObject) => key === `${folder}${manifestFile}`
  try {
    for (const { key } of [...found.filter(isManifest), ...found.filter((each) => !isManifest(each))])
      await objects.remove(key, signal)
    return true
  } catch (error) {
    if (error instanceof Problem && error.kind === ObjectRetained) return false
    throw error
  }
}

const requestMs = 20_000

/** Asks S3 for what a request waits for; fails with `s3_error` if it does not answer in time. */
export async function withinRequest<Value>(
  signal: AbortSignal,
  ask: (limited: AbortSignal) => Promise<Value>,
  limitMs = requestMs,
): Promise<Value> {
  const limit = AbortSignal.timeout(limitMs)
  try {
    return await ask(AbortSignal.any([signal, limit]))
  } catch (error) {
    if (!limit.aborted || signal.aborted) throw error
    throw S3Failed(`S3 did not answer within ${limitMs / 1000} seconds: try again later`, { cause: error })
  }
}

/** True for a failure of S3, not of the panel: it refuses, cannot be reached, or does not answer in time. */
export const isS3Failure = (error: unknown): boolean =>
  (error instanceof Problem && error.kind.code === 's3_error') ||
  (error instanceof DOMException && error.name === 'TimeoutError')

const startOf = (prefix: string): string =>
  `${[prefix.replaceAll(/^\/+|\/+$/g, ''), 'websites'].filter((part) => part !== '').join('/')}/`

const folderOf = (prefix: string, { username, domain }: SiteName, name: string): string =>
  `${startOf(prefix)}${username}/${domain}/${name}/`

import type { Readable } from 'node:stream'
import type { Files } from '../../host/files.ts'
import { byTime, type Manifest, parseManifest } from './manifest.ts'

/** The website that a backup is of. */
export interface SiteName {
  readonly username: string
  readonly domain: string
}

const standardRoot = '/var/lib/hostreeve/backups/websites'
const unfinishedPrefix = '.unfinished-'
/** The file of a backup that is written last. */
export const manifestFile = 'manifest.json'
const plainName = /^[a-z0-9][A-Za-z0-9._-]{0,250}$/
const rights = { mode: 0o700 }

/** The backups of websites on this host, a directory each, which only root can read. */
export class Depot {
  readonly #files: Files
  readonly #root: string

  /** @param root - where backups are kept; another folder for copies of them */
  constructor(files: Files, root = standardRoot) {
    this.#files = files
    this.#root = root
  }

  /** Lists the backups of a website by time. Directories without a manifest are not complete, and not listed. */
  async points(site: SiteName): Promise<readonly Manifest[]> {
    const names = (await this.#files.list(this.#folderOf(site))).filter((name) => plainName.test(name))
    const found = await Promise.all(names.map((name) => this.#manifest(site, name)))
    return found.filter((each) => each !== undefined).toSorted(byTime)
  }

  /** Lists the websites that have a folder here. */
  async sites(): Promise<readonly SiteName[]> {
    const users = (await this.#files.list(this.#root)).filter((name) => plainName.test(name))
    const found = await Promise.all(
      users.map(async (username) =>
        (await this.#files.list(`${this.#root}/${username}`)).map((domain) => ({ username, domain })),
      ),
    )
    return found.flat()
  }

  /** Makes an empty directory for a backup that is being written. */
  async begin(site: SiteName, name: string): Promise<void> {
    await this.#files.removeTree(this.unfinished(site, name))
    for (const path of this.#parentsOf(site)) await this.#files.makeDirectory(path, rights)
    await this.#files.makeDirectory(this.unfinished(site, name), rights)
  }

  /** Writes the manifest into the directory of a backup that is being written, or copied. */
  async writeManifest(site: SiteName, manifest: Manifest): Promise<void> {
    const path = `${this.unfinished(site, manifest.name)}/${manifestFile}`
    await this.#files.write(path, `${JSON.stringify(manifest, undefined, 2)}\n`, { rights: { mode: 0o600 } })
  }

  /** Removes the directory of a backup that was being written, or copied. */
  discard(site: SiteName, name: string): Promise<void> {
    return this.#files.removeTree(this.unfinished(site, name))
  }

  /** Writes the manifest and lists the backup, whose files are complete. */
  async finish(site: SiteName, manifest: Manifest): Promise<void> {
    await this.writeManifest(site, manifest)
    await this.#files.move(this.unfinished(site, manifest.name), `${this.#folderOf(site)}/${manifest.name}`)
  }

  /** Removes a backup, also one that is not complete. */
  async remove(site: SiteName, name: string): Promise<void> {
    if (await this.has(site, name))
      await this.#files.move(`${this.#folderOf(site)}/${name}`, this.unfinished(site, name))
    await this.#files.removeTree(this.unfinished(site, name))
    await this.#files.removeDirectory(this.#folderOf(site))
  }

  /** Lists a backup that continues none under another name. */
  async rename(site: SiteName, from: string, to: string): Promise<void> {
    const found = await this.#manifest(site, from)
    if (found === undefined) return
    await this.#files.removeTree(this.unfinished(site, to))
    const [path, aside] = [`${this.#folderOf(site)}/${from}`, this.unfinished(site, to)]
    await this.#files.move(path, aside)
    try {
      await this.finish(site, { ...found, name: to })
    } catch (error) {
      await this.#files.move(aside, path) // it may be the only one
      throw error
    }
  }

  /** Removes what was left of backups of a website that were being written or removed; nobody may be at it. */
  async removeUnfinished(site: SiteName): Promise<void> {
    const names = await this.#files.list(this.#folderOf(site))
    for (const name of names.filter((each) => each.startsWith(unfinishedPrefix)))
      await this.#files.removeTree(`${this.#folderOf(site)}/${name}`)
  }

  async has(site: SiteName, name: string): Promise<boolean> {
    return (await this.#files.facts(`${this.#folderOf(site)}/${name}`)) !== undefined
  }

  async hasUnfinished(site: SiteName, name: string): Promise<boolean> {
    return (await this.#files.facts(this.unfinished(site, name))) !== undefined
  }

  open(site: SiteName, name: string, file: string): Readable {
    return this.#files.stream(this.#pathOf(site, name, file))
  }

  /** The directory of a backup that is being written; its name is not that of a backup. */
  unfinished(site: SiteName, name: string): string {
    return `${this.#folderOf(site)}/${unfinishedPrefix}${name}`
  }

  /** The path of a file of a complete backup. */
  #pathOf(site: SiteName, name: string, file: string): string {
    return `${this.#folderOf(site)}/${name}/${file}`
  }

  #folderOf({ username, domain }: SiteName): string {
    return `${this.#root}/${username}/${domain}`
  }

  #parentsOf(site: SiteName): readonly string[] {
    return [this.#root, `${this.#root}/${site.username}`, this.#folderOf(site)]
  }

  async #manifest(site: SiteName, name: string): Promise<Manifest | undefined> {
    const text = await this.#files.read(this.#pathOf(site, name, manifestFile))
    const found = text === undefined ? undefined : parseManifest(text)
    return found?.name === name && found.domain === site.domain && found.username === site.username
      ? found
      : undefined
  }
}

/** Returns the path of a file of a complete backup. */
export const pathOf = ({ username, domain }: SiteName, name: string, file: string): string =>
  `${standardRoot}/${username}/${domain}/${name}/${file}`

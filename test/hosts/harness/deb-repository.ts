import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, withLock } from './cache.ts'
import { must, proxies } from './outer.ts'
import { missingDownload, withTries } from './tries.ts'

/** The path on a host of the apt repository with the packages of its base. */
export const repositoryPathInHost = '/opt/packages'

/** Writes the `Packages` index that lets apt install from a folder of .deb files. */
export async function indexPackages(folder: string): Promise<void> {
  const stanzas: string[] = []
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.deb')).sort())
    stanzas.push(await stanza(folder, name))
  await writeFile(join(folder, 'Packages'), stanzas.join('\n'))
}

/** The Debian packages that suites use as files. */
const listedPackages = ['btrfs-progs', 'liblzo2-2', 'linux-doc-6.1', 'python3-doc', 'python3.11-doc'] as const

/** Path of the .deb file of a Debian package, which `--images` downloaded; a package file to test with. */
export async function debPackage(name: (typeof listedPackages)[number]): Promise<string> {
  const path = await downloaded(downloads(), name)
  if (path === undefined) throw missingDownload(`the Debian package ${name}`)
  return path
}

/** Downloads the packages of the list that are missing, with this machine's own apt. */
export async function fetchPackages(): Promise<void> {
  await withLock('downloads', 600_000, async () => {
    await mkdir(downloads(), { recursive: true })
    for (const name of listedPackages)
      if ((await downloaded(downloads(), name)) === undefined)
        await withTries(`the download of ${name}`, () => download(downloads(), name))
  })
}

const downloads = () => join(cacheFolder(), 'downloads')

async function stanza(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  const bytes = await readFile(path)
  const control = (await must(['dpkg-deb', '--field', path])).stdout.trimEnd()
  return `${control}\nFilename: ./${name}\nSize: ${bytes.length}\nSHA256: ${createHash('sha256').update(bytes).digest('hex')}\n`
}

async function downloaded(folder: string, name: string): Promise<string | undefined> {
  const file = (await readdir(folder).catch(() => [])).find(
    (entry) => entry.startsWith(`${name}_`) && entry.endsWith('.deb'),
  )
  return file === undefined ? undefined : join(folder, file)
}

async function download(folder: string, name: string): Promise<void> {
  const options = { cwd: folder, timeoutMs: 600_000, env: proxies() }
  const fetch = ['apt-get', '-q', 'download', name] as const
  await must(fetch, options).catch(async () => {
    await must(['apt-get', '-q', 'update'], options) // the machine's package lists may be missing or older than its mirror
    await must(fetch, options)
  })
}

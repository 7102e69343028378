import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, withLock } from './cache.ts'
import { must, proxies } from './outer.ts'

/** The path on a host of the apt repository with the packages of its base. */
export const repositoryPathInHost = '/opt/packages'

/** Writes the `Packages` index that lets apt install from a folder of .deb files. */
export async function indexPackages(folder: string): Promise<void> {
  const stanzas: string[] = []
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.deb')).sort())
    stanzas.push(await stanza(folder, name))
  await writeFile(join(folder, 'Packages'), stanzas.join('\n'))
}

/** Path of the .deb file of a Debian package, downloaded once with this machine's own apt; a package file to test with. */
export async function debPackage(name: string): Promise<string> {
  const folder = join(cacheFolder(), 'downloads')
  await mkdir(folder, { recursive: true })
  return withLock('downloads', 600_000, async () => {
    const kept = await downloaded(folder, name)
    if (kept !== undefined) return kept
    await download(folder, name)
    const fresh = await downloaded(folder, name)
    if (fresh === undefined) throw new Error(`apt-get download ${name} left no file in ${folder}`)
    return fresh
  })
}

async function stanza(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  const bytes = await readFile(path)
  const control = (await must(['dpkg-deb', '--field', path])).stdout.trimEnd()
  return `${control}\nFilename: ./${name}\nSize: ${bytes.length}\nSHA256: ${createHash('sha256').update(bytes).digest('hex')}\n`
}

async function downloaded(folder: string, name: string): Promise<string | undefined> {
  const file = (await readdir(folder)).find((entry) => entry.startsWith(`${name}_`) && entry.endsWith('.deb'))
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

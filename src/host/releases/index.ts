import { mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { unpack, type Unpacking } from './unpack.ts'

export {
  findPanel,
  hasFailed,
  type PanelProcess,
  readPanelProcess,
  startPanel,
  stopPanel,
} from './panel-process.ts'
export { ArchiveRefused, unpack } from './unpack.ts'

/** The versions of the panel below an installation folder: `versions/N`, and the link `current` to one of them. */
export interface Releases {
  /** Returns the version that the next start runs; undefined if the folder has no such link. */
  current(folder: string): Promise<string | undefined>
  list(folder: string): Promise<readonly string[]>
  /** Unpacks an archive into a folder that is no version yet, and returns the path; throws ArchiveRefused. */
  unpack(folder: string, version: string, archive: Omit<Unpacking, 'directory'>): Promise<string>
  /** Makes what was unpacked a version. */
  place(folder: string, version: string): Promise<void>
  /** Makes a version the one that the next start runs. */
  switchTo(folder: string, version: string): Promise<void>
  /** Removes a version and what was unpacked of it; never the current one. */
  remove(folder: string, version: string): Promise<void>
}

const versionOf = (folder: string, version: string) => `${folder}/versions/${version}`
const unpackedOf = (folder: string, version: string) => `${folder}/versions/.new-${version}`

/** Opens access to the versions of the panel. */
export function openReleases(): Releases {
  return { current, list, unpack: unpackBeside, place, switchTo, remove }
}

async function current(folder: string): Promise<string | undefined> {
  try {
    return basename(await readlink(`${folder}/current`))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function list(folder: string): Promise<readonly string[]> {
  const entries = await readdir(`${folder}/versions`, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted()
}

async function unpackBeside(
  folder: string,
  version: string,
  archive: Omit<Unpacking, 'directory'>,
): Promise<string> {
  const directory = unpackedOf(folder, version)
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { mode: 0o755 })
  await unpack({ ...archive, directory })
  return directory
}

async function place(folder: string, version: string): Promise<void> {
  await rm(versionOf(folder, version), { recursive: true, force: true })
  await rename(unpackedOf(folder, version), versionOf(folder, version))
}

async function switchTo(folder: string, version: string): Promise<void> {
  const link = `${folder}/.current-${process.pid}`
  await rm(link, { force: true })
  await symlink(`versions/${version}`, link)
  await rename(link, `${folder}/current`)
}

async function remove(folder: string, version: string): Promise<void> {
  await rm(unpackedOf(folder, version), { recursive: true, force: true })
  if ((await current(folder)) === version) return
  await rm(versionOf(folder, version), { recursive: true, force: true })
}

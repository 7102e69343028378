import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder, withLock } from './cache.ts'
import { exists } from './outer.ts'
import { unmountBelow } from './test-run.ts'
import { missingDownload, withTries } from './tries.ts'

const waitMs = 1_800_000
const monthMs = 30 * 24 * 3600 * 1000

/**
 * Gives the folder of the cache in which `build` was run for this recipe, and runs it where it is missing. Processes that ask at
 * the same time wait for the one that builds.
 */
export async function ensureBuilt(
  name: string,
  recipe: unknown,
  build: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = folderOf(name, recipe)
  await withLock(name, waitMs, async () => {
    const now = new Date()
    if (await exists(join(folder, 'complete'))) return utimes(join(folder, 'complete'), now, now)
    await removeUnused()
    await withTries(`the build of ${name}`, () => buildWhole(name, folder, build))
  })
  return folder
}

/** Gives the folder that `ensureBuilt` made for this recipe; rejects where it is missing. */
export async function findBuilt(name: string, recipe: unknown): Promise<string> {
  const folder = folderOf(name, recipe)
  if (!(await exists(join(folder, 'complete')))) throw missingDownload(name)
  return folder
}

function folderOf(name: string, recipe: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 16)
  return join(cacheFolder(), `${name}-${digest}`)
}

/** Builds under a temporary name, so that a folder with the final name is complete. */
async function buildWhole(
  name: string,
  folder: string,
  build: (folder: string) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now()
  console.error(`test hosts: building ${name} in ${folder} (once; the base takes one to five minutes)`)
  const partial = `${folder}.partial`
  await unmountBelow(partial) // what a build that was killed left behind
  await rm(partial, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  await build(partial)
  await writeFile(join(partial, 'complete'), '')
  await rename(partial, folder)
  console.error(`test hosts: ${name} built in ${Math.round((performance.now() - startedAt) / 1000)} s`)
}

/** A folder that no run has used for a month belongs to an obsolete recipe. */
async function removeUnused(): Promise<void> {
  for (const name of await readdir(cacheFolder())) {
    const mark = await stat(join(cacheFolder(), name, 'complete')).catch(() => undefined) // nothing that was built, or in part
    if (mark !== undefined && Date.now() - mark.mtimeMs > monthMs)
      await rm(join(cacheFolder(), name), { recursive: true, force: true })
  }
}

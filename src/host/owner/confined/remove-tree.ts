import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import type { ByteString } from './calls.ts'
import { join, local } from './paths.ts'

/** Removes a tree of our own making, also where its folders were already given modes that forbid it. */
export async function removeTree(path: ByteString): Promise<void> {
  await rm(local(path), { recursive: true, force: true }).catch(async (error: unknown) => {
    if (!(await lstat(local(path))).isDirectory()) throw error
    await allow(path)
    await rm(local(path), { recursive: true, force: true })
  })
}

async function allow(folder: ByteString): Promise<void> {
  await chmod(local(folder), 0o700)
  for (const entry of await readdir(local(folder), { encoding: 'latin1', withFileTypes: true })) {
    if (entry.isDirectory()) await allow(join(folder, entry.name))
  }
}

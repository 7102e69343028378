import { type BigIntStats, constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { about, failureOf, type ByteString } from './calls.ts'
import { join, local } from './paths.ts'

/** Gives the folders that came with an unpacked tree their modes once they stand at their place. */
export type CloseFolders = (dest: ByteString, beat: () => void) => Promise<void>

/**
 * Remembers which folders of an unpacked tree are to be closed to their owner: a closed one could neither be filled nor moved, so that they
 * are open until the tree stands in its place. One that stood there before keeps its mode.
 */
export async function closingFolders(
  scratch: ByteString,
  modes: ReadonlyMap<ByteString, number>,
  beat: () => void,
): Promise<CloseFolders> {
  const folders: { readonly name: ByteString; readonly mode: number; readonly identity: string }[] = []
  // What lies in a folder comes before it, as it cannot be reached any more behind a closed one.
  for (const name of [...modes.keys()].toSorted().toReversed()) {
    beat()
    const path = join(scratch, name)
    const found = await lstat(local(path), { bigint: true }).catch(about(path))
    folders.push({ name, mode: modes.get(name)!, identity: identityOf(found) })
  }
  return async (dest, tell) => {
    for (const { name, mode, identity } of folders) {
      tell()
      await close(join(dest, name), mode, identity)
    }
  }
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`
}

async function close(path: ByteString, mode: number, identity: string): Promise<void> {
  try {
    await using folder = await open(
      local(path),
      constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
    )
    if (identityOf(await folder.stat({ bigint: true })) === identity) await folder.chmod(mode)
  } catch (error) {
    // Something else stands there: it was there before, or somebody put it there.
    if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(failureOf(error).code)) return about(path)(error)
  }
}

import { type BigIntStats, constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { about, failureOf, type ByteString } from './calls.ts'
import { join, local } from './paths.ts'

/** Sets the modes of the folders of an unpacked tree once they are at their destination. */
export type CloseFolders = (dest: ByteString, beat: () => void) => Promise<void>

/**
 * Records the unpacked folders whose mode denies access to their owner: such a folder could be neither filled nor moved, so they stay
 * accessible until the tree is at its destination. A folder that existed there before keeps its mode.
 */
export async function closingFolders(
  scratch: ByteString,
  modes: ReadonlyMap<ByteString, number>,
  beat: () => void,
): Promise<CloseFolders> {
  const folders: { readonly name: ByteString; readonly mode: number; readonly identity: string }[] = []
  // Children come first, because they cannot be reached once their parent is closed.
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
    // A different entry: it existed before, or was created in the meantime.
    if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(failureOf(error).code)) return about(path)(error)
  }
}

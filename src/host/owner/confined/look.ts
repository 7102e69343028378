import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { about, Refusal, type ByteString, type LookCall, type Looked } from './calls.ts'
import { join, local, nameOf, parentOf } from './paths.ts'
import { areTogether, mayChangeIn, mayMakeFolders } from './preview/permits.ts'
import { bare } from './place.ts'
import { beating } from './progress.ts'
import { readArchive } from './read-archive.ts'
import type { CallRun } from './session.ts'
import { describe } from './stat.ts'
import { TarRules } from './tar-rules.ts'

const mostNamed = 20

/** The existing entry at an entry's destination; `locked` is true if it cannot be changed. */
interface Place {
  readonly type: 'none' | 'file' | 'folder' | 'link' | 'other'
  readonly locked: boolean
}

/** Reads an archive to its end and returns the effect of unpacking it; refuses everything that unpacking would refuse. */
export async function lookIntoArchive(call: LookCall, run: CallRun): Promise<Looked> {
  const isFolder = new Map<ByteString, boolean>()
  const rules = new TarRules(call.limits, ({ name, type }) => {
    for (const folder of foldersAbove(name)) {
      if (isFolder.get(folder) === false)
        throw new Refusal('REFUSED', name, 'a name that passes through a file')
      isFolder.set(folder, true)
    }
    isFolder.set(name, type === '5')
  })
  return readArchive(call, run, rules, async (stream, note) => {
    for await (const _ of stream); // the content is checked while it is read
    const { bavail, bsize } = await statfs('.')
    if (rules.bytes > bavail * bsize) throw new Refusal('ENOSPC')
    return preview(isFolder, bare(call.dest), rules.bytes, beating(run, note))
  })
}

// A folder always comes before its content.
async function preview(
  isFolder: ReadonlyMap<ByteString, boolean>,
  dest: ByteString,
  bytes: number,
  beat: () => void,
): Promise<Looked> {
  const places = new Map<ByteString, Place>([['', await placeOfTop(dest)]])
  const counts = { bytes, files: 0, folders: 0, replacedFiles: 0, replacedOthers: 0 }
  const paths: ByteString[] = []
  for (const [name, folder] of isFolder) {
    beat()
    const [target, above] = [join(dest, name), places.get(parentOf(name))]
    const place = above?.type === 'folder' ? placeAt(target) : nothing
    if (folder) places.set(name, place)
    if (folder && place.type === 'folder') continue
    refuseClash(target, folder, place.type)
    if (place.locked) throw new Refusal('EPERM', target)
    if (above?.type === 'folder') await writable(join(dest, parentOf(name)), target)
    if (folder) counts.folders++
    else if (place.type === 'none') counts.files++
    else if (place.type !== 'file') counts.replacedOthers++
    else if (counts.replacedFiles++ < mostNamed) paths.push(target)
  }
  return { ...counts, paths }
}

// Repeated for each entry: it costs less than unpacking one.
async function writable(folder: ByteString, target: ByteString): Promise<void> {
  await access(local(folder), constants.W_OK | constants.X_OK).catch(about(target))
  if (!areTogether(folder, '')) throw new Refusal('EXDEV', target) // the unpacked entries are moved by rename
}

const nothing: Place = { type: 'none', locked: false }

async function placeOfTop(dest: ByteString): Promise<Place> {
  const found = await stat(local(dest)).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    return about(dest)(error)
  })
  if (found === undefined) {
    const above = parentOf(dest)
    const { folder } = await mayMakeFolders(above).catch(about(above))
    await mayChangeIn(folder).catch(about(dest))
    if (!areTogether(folder, '')) throw new Refusal('EXDEV', dest)
    return nothing
  }
  if (!found.isDirectory()) throw new Refusal('ENOTDIR', dest)
  return { type: 'folder', locked: false }
}

function placeAt(path: ByteString): Place {
  try {
    return describe(path, nameOf(path))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return nothing
    return about(path)(error)
  }
}

function refuseClash(target: ByteString, isFolder: boolean, existing: Place['type']): void {
  if (isFolder && existing !== 'none')
    throw new Refusal('EEXIST', target, 'a file exists where the archive has a folder')
  if (!isFolder && existing === 'folder')
    throw new Refusal('EEXIST', target, 'a folder exists where the archive has a file')
}

function foldersAbove(name: ByteString): readonly ByteString[] {
  const parts = name.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

import { about, failureOf, type ByteString, type MkdirCall, type WriteCall } from '../calls.ts'
import { refuseTaken } from '../names.ts'
import { parentOf, uploads } from '../paths.ts'
import { bare } from '../place.ts'
import type { UploadPlace } from '../upload-calls.ts'
import { behindLink, currentFile, refuseChange } from '../write.ts'
import type { Previewed } from './calls.ts'
import { mayChangeIn, mayMakeFolders, mayMakeNameIn, mayReplace } from './permits.ts'

const one = { entries: 1, bytes: 0, isCut: false }

/** What writing a file, or giving an upload its place, would do. */
export async function previewFile(call: WriteCall | UploadPlace): Promise<Previewed> {
  const isUpload = call.op === 'upload'
  const path = isUpload && call.ifAbsent ? call.path : await behindLink(call.path) // a link that stands there is something, too
  const standing = await currentFile(path)
  refuseChange(call, standing)
  const folder = parentOf(path)
  await mayChangeIn(folder).catch(about(isUpload || folder.startsWith('/') ? call.path : folder))
  await mayReplace(path, standing).catch(about(call.path))
  return {
    ...one,
    paths: [call.path],
    ...(standing && { replaced: { type: 'file', size: Number(standing.size) } }),
  }
}

/** What beginning an upload would do: its parts lie in a folder of their own, which may have to be made. */
export async function previewUpload(): Promise<Previewed> {
  await mayMakeNameIn(uploads)
  return { ...one, paths: [] }
}

/** What making a folder would do: `entries` are those that are missing. */
export async function previewFolder({ path, recursive }: MkdirCall): Promise<Previewed> {
  const folder = bare(path)
  try {
    return {
      ...one,
      entries: recursive ? (await mayMakeFolders(folder)).missing : await mayMakeOne(folder),
      paths: [path],
    }
  } catch (error) {
    const above = parentOf(folder)
    return about(failureOf(error).code === 'ENOENT' && above !== '' ? above : path)(error)
  }
}

async function mayMakeOne(folder: ByteString): Promise<number> {
  await refuseTaken(folder)
  await mayChangeIn(parentOf(folder))
  return 1
}

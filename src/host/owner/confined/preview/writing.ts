import { about, failureOf, type ByteString, type MkdirCall, type WriteCall } from '../calls.ts'
import { refuseTaken } from '../names.ts'
import { parentOf, uploads } from '../paths.ts'
import { bare } from '../place.ts'
import type { UploadPlace } from '../upload-calls.ts'
import { behindLink, currentFile, refuseChange } from '../write.ts'
import type { Previewed } from './calls.ts'
import { mayChangeIn, mayMakeFolders, mayMakeNameIn, mayReplace } from './permits.ts'

const one = { entries: 1, bytes: 0, isCut: false }

/** Previews writing a file, or moving an upload to its destination. */
export async function previewFile(call: WriteCall | UploadPlace): Promise<Previewed> {
  const isUpload = call.op === 'upload'
  const path = isUpload && call.ifAbsent ? call.path : await behindLink(call.path) // an existing link counts as an existing entry
  const existing = await currentFile(path)
  refuseChange(call, existing)
  const folder = parentOf(path)
  await mayChangeIn(folder).catch(about(isUpload || folder.startsWith('/') ? call.path : folder))
  await mayReplace(path, existing).catch(about(call.path))
  return {
    ...one,
    paths: [call.path],
    ...(existing && { replaced: { type: 'file', size: Number(existing.size) } }),
  }
}

/** Previews the start of an upload: its parts are in a folder that may have to be created. */
export async function previewUpload(): Promise<Previewed> {
  await mayMakeNameIn(uploads)
  return { ...one, paths: [] }
}

/** Previews the creation of a folder: `entries` are the missing ones. */
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

import { constants } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { relative } from 'node:path/posix'
import { about, failureOf, type ByteString } from './calls.ts'
import { copyInto } from './copy.ts'
import { atName } from './names.ts'
import { join, local, parentOf, unfinishedName, uploads } from './paths.ts'
import { takeRights } from './rights.ts'
import type { CallRun } from './session.ts'
import { etagOf } from './stat.ts'
import type { UploadPlace } from './upload-calls.ts'
import { cutUpload, openParts } from './upload-parts.ts'
import { behindLink, currentFile, refuseChange, syncFolder } from './write.ts'

const newMode = 0o644

/** Moves an upload to its destination, atomically, with the mode of the file that it replaces. */
export async function placeUpload(
  call: UploadPlace,
  run: CallRun,
): Promise<{ etag: string; size: number; created: boolean }> {
  const path = call.ifAbsent ? call.path : inHome(await behindLink(call.path)) // an existing link counts as an existing entry
  const before = await currentFile(path)
  refuseChange(call, before)
  await using file = await openParts(call.name, 0)
  if (before !== undefined) await takeRights(path, `${uploads}/${call.name}`, run)
  await file.chmod(before === undefined ? newMode : Number(before.mode) & 0o1777)
  await file.sync()
  const folder = parentOf(path)
  const moved = await moveInto(`${uploads}/${call.name}`, path, call, run).catch(about(call.path))
  await syncFolder(folder)
  await cutUpload(call.name, 0)
  await using placed =
    moved === 'copied' ? await open(local(path), constants.O_RDONLY | constants.O_NONBLOCK) : undefined
  const found = await (placed ?? file).stat({ bigint: true })
  return { etag: etagOf(found), size: Number(found.size), created: before === undefined }
}

// The target of a link comes as an absolute path; nothing can be written outside the home.
function inHome(path: ByteString): ByteString {
  return path.startsWith('/') ? relative(process.cwd(), path) : path
}

async function moveInto(
  from: ByteString,
  path: ByteString,
  call: UploadPlace,
  run: CallRun,
): Promise<'renamed' | 'copied'> {
  try {
    await atName(path, () => takeName(from, path, call))
    return 'renamed'
  } catch (error) {
    if (failureOf(error).code !== 'EXDEV') throw error
  }
  const temporary = join(parentOf(path), unfinishedName())
  await copyToTemporary(from, temporary, run)
  try {
    await atName(path, () => takeName(temporary, path, call))
    return 'copied'
  } finally {
    await rm(local(temporary), { force: true })
  }
}

// A link never replaces a file created in the meantime; if the file system has no links, the earlier check must suffice.
async function takeName(from: ByteString, path: ByteString, call: UploadPlace): Promise<void> {
  if (call.ifAbsent) {
    try {
      await link(local(from), local(path))
      return await rm(local(from))
    } catch (error) {
      if (failureOf(error).code !== 'EPERM' && failureOf(error).code !== 'ENOTSUP') throw error
    }
  }
  refuseChange(call, await currentFile(path))
  await rename(local(from), local(path))
}

// Another file system is mounted below the folder.
async function copyToTemporary(from: ByteString, temporary: ByteString, run: CallRun): Promise<void> {
  await copyInto(from, temporary, run)
  await using copy = await open(local(temporary))
  await copy.sync()
}

import { constants } from 'node:fs'
import { mkdir, open, rm, rmdir, type FileHandle } from 'node:fs/promises'
import { failureOf, Refusal } from './calls.ts'
import { local, uploads } from './paths.ts'

/** Opens the file for the parts of an upload; only a regular file is accepted. */
export async function openParts(name: string, flags: number): Promise<FileHandle> {
  const mode = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY | flags
  const file = await ((flags & constants.O_CREAT) === 0
    ? open(local(`${uploads}/${name}`), mode)
    : opened(name, mode))
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Refusal('NOTREGULAR', `${uploads}/${name}`)
}

const mostTries = 50

// The end of the last other upload may remove the folder in the meantime.
async function opened(name: string, mode: number): Promise<FileHandle> {
  for (let tries = 1; ; tries++) {
    try {
      await mkdir(local(uploads), { recursive: true, mode: 0o700 })
      return await open(local(`${uploads}/${name}`), mode, 0o600)
    } catch (error) {
      if (failureOf(error).code !== 'ENOENT' || tries === mostTries) throw error
    }
  }
}

/** Opens an existing upload; returns undefined if there is none. */
export async function openPartsIfAny(name: string): Promise<FileHandle | undefined> {
  try {
    return await openParts(name, 0)
  } catch (error) {
    if (failureOf(error).code === 'ENOENT') return undefined
    throw error
  }
}

/** Truncates an upload, or removes it if no bytes are to stay. */
export async function cutUpload(name: string, size: number): Promise<void> {
  if (size > 0) {
    await using file = await openPartsIfAny(name)
    if (file !== undefined && (await file.stat()).size > size) await file.truncate(size)
    return
  }
  await rm(local(`${uploads}/${name}`), { force: true, recursive: true })
  await rmdir(local(uploads)).catch(() => {}) // it stays while other uploads are in progress
}

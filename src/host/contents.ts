import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress, type ZstdOptions } from 'node:zlib'
import { nameDiskFailure } from '../core/disk.ts'

// read on first use: Node loads its compression then
const compress = (bytes: Uint8Array): Promise<Buffer> => promisify<Uint8Array, Buffer>(zstdCompress)(bytes)
const decompress = (bytes: Uint8Array, options: ZstdOptions): Promise<Buffer> =>
  promisify<Uint8Array, ZstdOptions, Buffer>(zstdDecompress)(bytes, options)

/** Bytes stored under their own SHA-256, each once per shelf, compressed. Shelves share nothing, so that none reveals the content of another. */
export interface Contents {
  /** Stores bytes; they are completely on the disk when this returns. Returns the disk space that they use, also if they were already stored. */
  put(ownerId: number, bytes: Uint8Array): Promise<{ readonly sha256: string; readonly storedBytes: number }>
  /** Returns stored bytes; undefined if they are missing or damaged. */
  get(ownerId: number, sha256: string, maxBytes: number): Promise<Buffer | undefined>
  remove(ownerId: number, sha256s: Iterable<string>): Promise<void>
  /** Removes from a shelf everything that is not wanted, and the partial files of a killed panel. */
  sweep(ownerId: number, wanted: ReadonlySet<string>): Promise<number>
  owners(): Promise<readonly number[]>
}

/** Opens the contents below a folder that only root can read; in memory if none is given. */
export function openContents(folder: string | undefined): Contents {
  return folder === undefined ? inMemory() : onDisk(folder)
}

function onDisk(folder: string): Contents {
  const placeOf = (ownerId: number, sha256: string) =>
    join(folder, String(ownerId), sha256.slice(0, 2), `${sha256}.zst`)
  return {
    put: async (ownerId, bytes) => {
      const sha256 = digest(bytes)
      const place = placeOf(ownerId, sha256)
      const existing = await absentAs(undefined, readFile(place))
      if (existing !== undefined && (await unpacked(existing, sha256, bytes.length)) !== undefined)
        return { sha256, storedBytes: existing.length }
      const packed = await compress(bytes)
      await writeWhole(place, packed)
      return { sha256, storedBytes: packed.length }
    },
    get: async (ownerId, sha256, maxBytes) => {
      const packed = await absentAs(undefined, readFile(placeOf(ownerId, sha256)))
      return packed && unpacked(packed, sha256, maxBytes)
    },
    remove: async (ownerId, sha256s) => {
      for (const sha256 of sha256s) await rm(placeOf(ownerId, sha256), { force: true })
    },
    sweep: (ownerId, wanted) => sweepFolder(join(folder, String(ownerId)), wanted),
    owners: async () => (await namesIn(folder)).filter((name) => /^\d+$/.test(name)).map(Number),
  }
}

// Written to a temporary file and synced before it takes its name: a name always means complete bytes.
async function writeWhole(place: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(place), { recursive: true, mode: 0o700 })
  const unfinished = `${place}.${randomBytes(6).toString('hex')}.new`
  try {
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, place)
    await syncFolder(dirname(place))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw nameDiskFailure(error, dirname(place))
  }
}

async function syncFolder(path: string): Promise<void> {
  const opened = await open(path, 'r')
  await opened.sync().finally(() => opened.close())
}

async function sweepFolder(directory: string, wanted: ReadonlySet<string>): Promise<number> {
  let removed = 0
  for (const group of await namesIn(directory))
    for (const name of await namesIn(join(directory, group))) {
      if (name.endsWith('.zst') && wanted.has(name.slice(0, -4))) continue
      await rm(join(directory, group, name), { force: true })
      removed++
    }
  if (wanted.size === 0) await rm(directory, { recursive: true, force: true })
  return removed
}

function inMemory(): Contents {
  const owners = new Map<number, Map<string, Buffer>>()
  const ownerContents = (ownerId: number) =>
    owners.get(ownerId) ?? owners.set(ownerId, new Map()).get(ownerId)!
  return {
    put: async (ownerId, bytes) => {
      const packed = await compress(bytes)
      ownerContents(ownerId).set(digest(bytes), packed)
      return { sha256: digest(bytes), storedBytes: packed.length }
    },
    get: async (ownerId, sha256, maxBytes) => {
      const packed = ownerContents(ownerId).get(sha256)
      return packed && unpacked(packed, sha256, maxBytes)
    },
    remove: async (ownerId, sha256s) => {
      for (const sha256 of sha256s) ownerContents(ownerId).delete(sha256)
    },
    sweep: async (ownerId, wanted) => {
      const unwanted = [...ownerContents(ownerId).keys()].filter((sha256) => !wanted.has(sha256))
      for (const sha256 of unwanted) ownerContents(ownerId).delete(sha256)
      return unwanted.length
    },
    owners: async () => [...owners.keys()],
  }
}

async function unpacked(packed: Buffer, sha256: string, maxBytes: number): Promise<Buffer | undefined> {
  const bytes = await decompress(packed, { maxOutputLength: Math.max(1, maxBytes) }).catch(() => undefined) // damaged on the disk: treated as missing
  return bytes !== undefined && digest(bytes) === sha256 ? bytes : undefined
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return absentAs([], readdir(folder))
}

async function absentAs<Value, Else>(other: Else, work: Promise<Value>): Promise<Value | Else> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return other
    throw error
  }
}

import { createHash, randomBytes } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { chmod, chown, link, lstat, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { nameDiskFailure } from '../core/disk.ts'
import { problem } from '../core/problem.ts'
import { openFile } from './open-file.ts'

export { DiskFull } from '../core/problem.ts'
export const FileTooLarge = problem(
  'server_error',
  500,
  'A configuration file is larger than the panel reads',
)

/** The owner and access rights of a file. */
export interface FileRights {
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

export interface FileFacts extends FileRights {
  readonly kind: 'file' | 'directory' | 'link' | 'other'
  readonly sizeBytes: number
}

export interface WriteOptions {
  /** Rights that are given override those of the replaced file; a new file is 0644 and owned by root. */
  readonly rights?: Partial<FileRights>
}

/** A file written next to its destination and synced, but not yet there. */
export interface PreparedFile {
  readonly path: string
  readonly preparedPath: string
  /** Moves it to its destination, durably when this returns. */
  commit(): Promise<void>
  discard(): Promise<void>
}

/** Root-owned configuration files, below one root. Never for paths in a user's home: those belong to `host.owner`. */
export interface Files {
  readonly root: string
  /** Returns the path of a host's file for this process and for the programs it starts. */
  real(path: string): string
  /** Undefined when there is no such file. */
  read(path: string): Promise<string | undefined>
  /** As `read`, with each byte as one character (latin1): a file of any encoding is written back unchanged. */
  readBytes(path: string): Promise<string | undefined>
  /** Reads a file as a stream, which must be read to its end or destroyed; a missing file fails it. */
  stream(path: string): Readable
  facts(path: string): Promise<FileFacts | undefined>
  /** Opens a regular file of any size; undefined when there is none. */
  open(path: string): ReturnType<typeof openFile>
  write(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<void>
  prepare(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<PreparedFile>
  /** Writes a stream to a file that only root can read, and returns its size; the name appears once all of it is on the disk. */
  store(path: string, source: Readable, signal: AbortSignal): Promise<number>
  /** Hard-links the current file to a second name, so that restoring it needs no disk space; undefined when there is none. */
  keep(path: string): Promise<{ restore(): Promise<void>; forget(): Promise<void> } | undefined>
  remove(path: string): Promise<void>
  /** Renames a file or a directory within one file system, durably when this returns. */
  move(from: string, to: string): Promise<void>
  /** Removes a directory in which only root can write, with everything in it. */
  removeTree(directory: string): Promise<void>
  /** Returns when a file or directory was last changed, moved or given to another owner; undefined when there is none. */
  changedAt(path: string): Promise<Date | undefined>
  /** Names in a directory, sorted, without leftovers; empty when there is no such directory. */
  list(directory: string): Promise<readonly string[]>
  makeDirectory(path: string, rights?: Partial<FileRights>): Promise<void>
  /** Removes an empty directory; a non-empty one stays. */
  removeDirectory(path: string): Promise<boolean>
  /** Removes the leftovers of a panel killed between preparing and committing; returns their names. */
  cleanLeftovers(directory: string): Promise<readonly string[]>
}

const maxReadBytes = 16 * 1024 * 1024
const leftover = /^\..+\.hostreeve-(new|old)-[0-9a-f]{12}$/

/** Opens the configuration files below `root`: `/` on a host, a temporary directory in tests. */
export function openFiles(root = '/'): Files {
  const real = (path: string) => join(root, path)
  const prepare = (path: string, content: string | Uint8Array, options?: WriteOptions) =>
    prepareFile(path, real(path), content, options)
  return {
    root,
    real,
    read: (path) => readText(real(path), 'utf8'),
    readBytes: (path) => readText(real(path), 'latin1'),
    facts: (path) => readFacts(real(path)),
    open: (path) => openFile(real(path)),
    prepare,
    stream: (path) => createReadStream(real(path), { highWaterMark: 256 * 1024 }),
    store: (path, source, signal) => storeStream(path, real(path), source, signal),
    write: async (path, content, options) => (await prepare(path, content, options)).commit(),
    keep: (path) => keepFile(real(path)),
    remove: (path) => removeFile(real(path)),
    move: (from, to) => movePath(real(from), real(to)),
    removeTree: (directory) => rm(real(directory), { recursive: true, force: true }),
    changedAt: async (path) => (await absentAsUndefined(lstat(real(path))))?.ctime,
    list: async (directory) => (await names(real(directory))).filter((name) => !leftover.test(name)).sort(),
    makeDirectory: (path, rights) => makeDirectory(real(path), rights),
    removeDirectory: (path) => removeDirectory(real(path)),
    cleanLeftovers: (directory) => cleanLeftovers(real(directory)),
  }
}

/** Returns the SHA-256 of a text, in hexadecimal. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

async function readText(path: string, encoding: 'utf8' | 'latin1'): Promise<string | undefined> {
  const file = await absentAsUndefined(open(path, constants.O_RDONLY))
  if (file === undefined) return undefined
  try {
    if ((await file.stat()).size > maxReadBytes) throw FileTooLarge(path)
    return await file.readFile(encoding)
  } finally {
    await file.close()
  }
}

async function readFacts(path: string): Promise<FileFacts | undefined> {
  const found = await absentAsUndefined(lstat(path))
  if (found === undefined) return undefined
  const kind = found.isFile()
    ? 'file'
    : found.isDirectory()
      ? 'directory'
      : found.isSymbolicLink()
        ? 'link'
        : 'other'
  return { kind, mode: found.mode & 0o7777, uid: found.uid, gid: found.gid, sizeBytes: found.size }
}

async function prepareFile(
  path: string,
  realPath: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Promise<PreparedFile> {
  const preparedPath = temporaryName(realPath, 'new')
  const discard = () => rm(preparedPath, { force: true })
  try {
    const present = await readFacts(realPath)
    await writeNew(preparedPath, content, { ...present, ...options.rights })
  } catch (error) {
    await discard()
    throw nameDiskFailure(error, dirname(path))
  }
  const commit = async () => {
    try {
      await rename(preparedPath, realPath)
      await syncDirectory(dirname(realPath))
    } catch (error) {
      await discard()
      throw nameDiskFailure(error, dirname(path))
    }
  }
  return { path, preparedPath, commit, discard }
}

/** No other user may read the file at any moment: it is created with 0600, and gets its owner and mode before its content. */
async function writeNew(
  path: string,
  content: string | Uint8Array,
  rights: Partial<FileRights>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    if (rights.uid !== undefined || rights.gid !== undefined)
      await file.chown(rights.uid ?? process.getuid!(), rights.gid ?? process.getgid!())
    await file.chmod(rights.mode ?? 0o644)
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function storeStream(
  path: string,
  realPath: string,
  source: Readable,
  signal: AbortSignal,
): Promise<number> {
  const preparedPath = temporaryName(realPath, 'new')
  try {
    const file = await open(preparedPath, 'wx', 0o600)
    try {
      for await (const chunk of addAbortSignal(signal, source)) await file.writeFile(chunk)
      await file.sync()
      await rename(preparedPath, realPath)
      await syncDirectory(dirname(realPath))
      return (await file.stat()).size
    } finally {
      await file.close()
    }
  } catch (error) {
    await rm(preparedPath, { force: true })
    throw nameDiskFailure(error, dirname(path))
  } finally {
    source.destroy()
  }
}

async function keepFile(
  path: string,
): Promise<{ restore(): Promise<void>; forget(): Promise<void> } | undefined> {
  const keptPath = temporaryName(path, 'old')
  try {
    await link(path, keptPath)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw nameDiskFailure(error, dirname(path))
  }
  const restore = async () => {
    await rename(keptPath, path)
    // rename of two names of one file does nothing and leaves both
    await rm(keptPath, { force: true })
    await syncDirectory(dirname(path))
  }
  return { restore, forget: () => rm(keptPath, { force: true }) }
}

async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true })
  await absentAsUndefined(syncDirectory(dirname(path)))
}

async function movePath(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
    for (const directory of new Set([dirname(to), dirname(from)])) await syncDirectory(directory)
  } catch (error) {
    throw nameDiskFailure(error, dirname(to))
  }
}

async function makeDirectory(path: string, rights: Partial<FileRights> = {}): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o755 }).catch((error: unknown) => {
    throw nameDiskFailure(error, path)
  })
  if (rights.uid !== undefined || rights.gid !== undefined)
    await chown(path, rights.uid ?? process.getuid!(), rights.gid ?? process.getgid!())
  if (rights.mode !== undefined) await chmod(path, rights.mode)
}

async function removeDirectory(path: string): Promise<boolean> {
  try {
    await rmdir(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true
    if (codeOf(error) === 'ENOTEMPTY') return false
    throw error
  }
}

async function cleanLeftovers(directory: string): Promise<readonly string[]> {
  const left = (await names(directory)).filter((name) => leftover.test(name))
  for (const name of left) await rm(join(directory, name), { force: true })
  return left
}

async function names(directory: string): Promise<string[]> {
  return (await absentAsUndefined(readdir(directory))) ?? []
}

async function syncDirectory(directory: string): Promise<void> {
  const opened = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

function temporaryName(path: string, purpose: 'new' | 'old'): string {
  return join(dirname(path), `.${basename(path)}.hostreeve-${purpose}-${randomBytes(6).toString('hex')}`)
}

/** Nothing exists under a name that no file can have. */
const absence: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])

async function absentAsUndefined<Value>(pending: Promise<Value>): Promise<Value | undefined> {
  try {
    return await pending
  } catch (error) {
    if (absence.has(codeOf(error) ?? '')) return undefined
    throw error
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

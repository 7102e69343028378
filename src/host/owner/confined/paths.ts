import { Refusal, type ByteString } from './calls.ts'

/** Prefix of temporary files: never listed, never reachable by a caller, removed when the process that created them is gone. */
export const unfinished = '.hostreeve-tmp-'

/** Name of the trash folder at the top of the home: never listed either. */
export const trash = '.hostreeve-trash'

/** Name of the folder for upload parts at the top of the home; they survive the process that wrote them. */
export const uploads = `${unfinished}uploads`

/** Prefix of repositories that are being cloned, at the top of the home; removed by the clone itself. */
export const clones = `${unfinished}clone-`

/** Returns true if a name is reserved for the panel. */
export function isReserved(name: ByteString): boolean {
  return name.startsWith(unfinished) || name.startsWith(trash)
}

const mine = `${unfinished}${process.pid}-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}-`
let count = 0

/** Returns a new temporary name. */
export function unfinishedName(): ByteString {
  return `${mine}${++count}`
}

/** Returns true if a temporary name belongs to a process that no longer exists. */
export function isLeftover(name: ByteString): boolean {
  return name.startsWith(unfinished) && !name.startsWith(mine) && !name.startsWith(clones) && name !== uploads
}

/** Returns the path for a system call: the working directory is the home. The panel has checked it; this checks again. */
export function local(path: ByteString): string | Buffer {
  if (path.includes('\0') || path.startsWith('/') || path.split('/').includes('..'))
    throw new Refusal('BADPATH', path)
  return raw(path === '' ? '.' : `./${path}`)
}

/** Encodes a byte string for system calls. */
export function raw(path: ByteString): string | Buffer {
  return /^[\x00-\x7f]*$/.test(path) ? path : Buffer.from(path, 'latin1')
}

/** Returns the working directory for a child process; its path must be valid UTF-8. */
export function workingFolder(path: ByteString): string {
  return path === '' ? '.' : `./${Buffer.from(path, 'latin1').toString()}`
}

export function parentOf(path: ByteString): ByteString {
  const end = path.lastIndexOf('/')
  return end < 0 ? '' : path.slice(0, end)
}

export function nameOf(path: ByteString): ByteString {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function join(folder: ByteString, name: ByteString): ByteString {
  return folder === '' ? name : `${folder}/${name}`
}

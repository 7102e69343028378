import { Refusal, type ByteString } from './calls.ts'

/** Begins the name of everything unfinished: never listed, never reached by a caller, removed when its maker is gone. */
export const unfinished = '.hostreeve-tmp-'

/** Holds what was thrown away, at the top of the home: never listed either. */
export const trash = '.hostreeve-trash'

/** Holds the parts of uploads, at the top of the home; they outlive the program that wrote them. */
export const uploads = `${unfinished}uploads`

/** Begins the names of repositories that are being cloned, at the top of the home; whoever clones removes them. */
export const clones = `${unfinished}clone-`

/** Whether a name is the panel's own, and no caller's. */
export function isReserved(name: ByteString): boolean {
  return name.startsWith(unfinished) || name.startsWith(trash)
}

const mine = `${unfinished}${process.pid}-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}-`
let count = 0

/** A new name for something unfinished. */
export function unfinishedName(): ByteString {
  return `${mine}${++count}`
}

/** Whether a name was left behind by a run that is gone. */
export function isLeftover(name: ByteString): boolean {
  return name.startsWith(unfinished) && !name.startsWith(mine) && !name.startsWith(clones) && name !== uploads
}

/** The path for a system call: the working folder is the home. The panel has checked it; this checks again. */
export function local(path: ByteString): string | Buffer {
  if (path.includes('\0') || path.startsWith('/') || path.split('/').includes('..'))
    throw new Refusal('BADPATH', path)
  return raw(path === '' ? '.' : `./${path}`)
}

/** A byte string as system calls want it. */
export function raw(path: ByteString): string | Buffer {
  return /^[\x00-\x7f]*$/.test(path) ? path : Buffer.from(path, 'latin1')
}

/** A folder for a program to work in; its path must be valid UTF-8. */
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

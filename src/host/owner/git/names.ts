import { pathBytes, shown, textOf } from '../paths.ts'

/** Reads paths that git ends with NUL each, as `textOf` writes them. A repository below this one has a slash at its end: it is left out. */
export function namesIn(out: Buffer): readonly string[] {
  const names = out.toString('latin1').split('\0').slice(0, -1)
  return names.map((name) => textOf(Buffer.from(name.replace(/\/$/, ''), 'latin1')))
}

/** Paths as git reads them from its input: ended by NUL, any bytes. */
export function pathList(paths: readonly string[]): Buffer {
  return Buffer.concat([...new Set(paths)].flatMap((path) => [pathBytes(path), nul]))
}

const nul = Buffer.from([0])

/** A path of a repository as a message names it: from the home, after the field that held it. */
export function shownIn(root: string, path: string | RepositoryPath): string {
  const { field, path: bare } = typeof path === 'string' ? { path } : path
  const inHome = bare === '' || root === '' ? `${root}${bare}` : `${root}/${bare}`
  return shown(field === undefined ? inHome : { field, path: inHome })
}

/** A path from a repository's folder, with the field of the request that held it. */
export interface RepositoryPath {
  readonly field?: string
  readonly path: string
}

/** The folders above a path, but for the one that has no name. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = []
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at))
  return folders
}

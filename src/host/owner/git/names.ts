import { pathBytes, shown, textOf } from '../paths.ts'

/** Parses the NUL-terminated paths of git, as `textOf` writes them. A nested repository has a slash at its end: it is left out. */
export function namesIn(out: Buffer): readonly string[] {
  const names = out.toString('latin1').split('\0').slice(0, -1)
  return names.map((name) => textOf(Buffer.from(name.replace(/\/$/, ''), 'latin1')))
}

/** Encodes paths for git's input: NUL-terminated, any bytes. */
export function pathList(paths: readonly string[]): Buffer {
  return Buffer.concat([...new Set(paths)].flatMap((path) => [pathBytes(path), nul]))
}

const nul = Buffer.from([0])

/** Formats a path of a repository for a message: relative to the home, after its request field. */
export function shownIn(root: string, path: string | RepositoryPath): string {
  const { field, path: bare } = typeof path === 'string' ? { path } : path
  const inHome = bare === '' || root === '' ? `${root}${bare}` : `${root}/${bare}`
  return shown(field === undefined ? inHome : { field, path: inHome })
}

/** A path relative to the repository's folder, with its request field. */
export interface RepositoryPath {
  readonly field?: string
  readonly path: string
}

/** Returns the folders above a path, except the root, which has no name. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = []
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at))
  return folders
}

import { BadRequest } from '../../../core/problem.ts'
import { gitProblems } from '../../../host/owner/git/index.ts'
import type { Owner } from '../../../host/owner/index.ts'
import { pathOf, pathsOf, type TextPath } from '../paths.ts'

/** Converts a path in the home to a path relative to the repository in `root`. */
function within(root: string, { field, path }: TextPath): string {
  const bare = plain(path)
  if (root === '' || bare === root) return bare === root ? '' : bare
  if (!bare.startsWith(`${root}/`))
    throw gitProblems.BadPath(`${field}: ${path.toWellFormed()} is not in the repository ${root}`)
  return bare.slice(root.length + 1)
}

/** Normalizes redundant slashes and dots, so that each location has one name. */
export function plain(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}

/** Finds the repository that a query names and the single file that limits it, as a path for git. */
export async function askedIn(
  { git }: Owner,
  query: Asked & { readonly file?: string; readonly file_b64?: string },
) {
  const path = pathOf(query, 'path', '')
  const root = await git.rootOf(path)
  if (query.file === undefined && query.file_b64 === undefined) return { path, root }
  const file = pathOf(query, 'file')
  if (!file.path.isWellFormed()) throw BadRequest(`${file.field}: the name of the file must be valid UTF-8`)
  return { path, root, file: within(root, file) }
}

/** Finds the repository that a body names and its selection: `all`, paths relative to the repository, or neither. */
export async function chosenIn({ git }: Owner, body: Asked & Choice) {
  const path = pathOf(body, 'path', '')
  const root = await git.rootOf(path)
  const isNamed = body.paths !== undefined || body.paths_b64 !== undefined
  if (body.all && isNamed) throw BadRequest('all: must not be combined with paths')
  if (body.all) return { path, root, what: 'all' as const }
  return isNamed
    ? {
        path,
        root,
        what: pathsOf(body, 'paths').map((one) => ({ field: one.field, path: within(root, one) })),
      }
    : { path, root }
}

interface Asked {
  readonly path?: string
  readonly path_b64?: string
}

interface Choice {
  readonly all: boolean
  readonly paths?: readonly string[]
  readonly paths_b64?: readonly string[]
}

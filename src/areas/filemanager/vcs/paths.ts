import { BadRequest } from '../../../core/problem.ts'
import { gitProblems } from '../../../host/owner/git/index.ts'
import type { Owner } from '../../../host/owner/index.ts'
import { pathOf, pathsOf, type TextPath } from '../paths.ts'

/** A path of the home as a repository in `root` names it. */
function within(root: string, { field, path }: TextPath): string {
  const bare = plain(path)
  if (root === '' || bare === root) return bare === root ? '' : bare
  if (!bare.startsWith(`${root}/`))
    throw gitProblems.BadPath(`${field}: ${path.toWellFormed()} is not in the repository ${root}`)
  return bare.slice(root.length + 1)
}

/** A path without the slashes and dots that mean nothing: one place has one name. */
export function plain(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}

/** The repository that a query means, and the one file of it that it narrows to, as git is told of it. */
export async function askedIn(
  { git }: Owner,
  query: Asked & { readonly file?: string; readonly file_b64?: string },
) {
  const path = pathOf(query, 'path', '')
  const root = await git.rootOf(path)
  if (query.file === undefined && query.file_b64 === undefined) return { path, root }
  const file = pathOf(query, 'file')
  if (!file.path.isWellFormed()) throw BadRequest(`${file.field}: only names in UTF-8 can be narrowed to`)
  return { path, root, file: within(root, file) }
}

/** The repository that a body means, and what it chooses of it: `all`, paths as the repository names them, or neither. */
export async function chosenIn({ git }: Owner, body: Asked & Choice) {
  const path = pathOf(body, 'path', '')
  const root = await git.rootOf(path)
  const isNamed = body.paths !== undefined || body.paths_b64 !== undefined
  if (body.all && isNamed) throw BadRequest('all: must not be sent beside paths')
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

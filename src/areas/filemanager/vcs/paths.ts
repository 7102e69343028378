import { BadRequest } from '../../../core/problem.ts'
import { gitProblems } from '../../../host/owner/git/index.ts'
import { pathOf, pathsOf, type TextPath } from '../paths.ts'

/** A path of the home as a repository in `root` names it. */
export function within(root: string, { field, path }: TextPath): string {
  const bare = plain(path)
  if (root === '' || bare === root) return bare === root ? '' : bare
  if (!bare.startsWith(`${root}/`)) throw gitProblems.BadPath(`${field}: ${path.toWellFormed()} is not in the repository ${root}`)
  return bare.slice(root.length + 1)
}

/** A path without the slashes and dots that mean nothing: one place has one name. */
export function plain(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}

/** The one file that a query narrows to; text, as an argument of git is. */
export function fileOf(query: { readonly file?: string; readonly file_b64?: string }): TextPath | undefined {
  if (query.file === undefined && query.file_b64 === undefined) return undefined
  const file = pathOf(query, 'file')
  if (!file.path.isWellFormed()) throw BadRequest(`${file.field}: only names in UTF-8 can be narrowed to`)
  return file
}

/** What a body chooses: `all`, paths, or neither. */
export function chosen(body: {
  readonly all: boolean
  readonly paths?: readonly string[]
  readonly paths_b64?: readonly string[]
}): 'all' | readonly TextPath[] | undefined {
  const isNamed = body.paths !== undefined || body.paths_b64 !== undefined
  if (body.all && isNamed) throw BadRequest('all: must not be sent beside paths')
  if (body.all) return 'all'
  return isNamed ? pathsOf(body, 'paths') : undefined
}

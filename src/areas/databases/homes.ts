import { BadRequest, NotFound } from '../../core/problem.ts'
import { type FileStat, type Owner, ownerProblems } from '../../host/owner/index.ts'
import { dumpFolder } from '../../tools/dump-step.ts'
import { accountOf } from '../users/index.ts'
import type { Databases } from './context.ts'
import { OutsideHome } from './problems.ts'
import type { DatabaseRow } from './store.ts'

/** The home of the owner of a database. */
export interface DatabaseHome {
  readonly username: string
  /** Absolute. */
  readonly home: string
  readonly owner: Owner
}

/** Opens the home of the owner of a database; fails with 404 if the owner was deleted. */
export async function homeOf(
  { queries, users, owners }: Databases,
  { name, user_id }: DatabaseRow,
): Promise<DatabaseHome> {
  const username = user_id === null ? undefined : await queries.usernameOf(user_id)
  const account = username === undefined ? undefined : await accountOf(users, username)
  if (account === undefined || username === undefined)
    throw NotFound(`id: ${name} has no owner with a home, where its dumps would be`)
  return { username, home: account.home, owner: owners.of({ ...account, name: username }) }
}

/** Returns an absolute path as one relative to the home; fails if it is not inside. */
export function pathInHome({ home, username }: DatabaseHome, file: string): string {
  const path = file.startsWith(`${home}/`) ? file.slice(home.length + 1) : ''
  if (isPlain(path)) return path
  throw BadRequest(`file: it must be the path of a file in ${home}, the home of ${username}`)
}

/** Returns an absolute path as one relative to the home; fails with 403 if it is not in the folder for dumps. */
export function pathOfDump({ home }: DatabaseHome, file: string): string {
  const folder = `${home}/${dumpFolder}/`
  if (file.startsWith(folder) && isPlain(file.slice(folder.length))) return file.slice(home.length + 1)
  throw OutsideHome(`file: it must be the path of a file in ${folder.slice(0, -1)}`)
}

/** Each part is a name: with `..` a path would leave what it begins with. */
const isPlain = (path: string): boolean =>
  !path.includes('\0') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/** Returns a regular file of the home; one that is a link, or is reached through one, is refused. */
export async function regularFile(owner: Owner, path: string): Promise<FileStat> {
  const parts = path.split('/')
  for (const at of parts.keys()) {
    const found = await owner.stat({ field: 'file', path: parts.slice(0, at + 1).join('/') })
    const wanted = at === parts.length - 1 ? 'file' : 'folder'
    if (found.type !== wanted)
      throw ownerProblems.NotAFile(`file: ${parts.slice(0, at + 1).join('/')} is not a ${wanted}`)
    if (wanted === 'file') return found
  }
  throw ownerProblems.NotAFile('file: it is not a file')
}

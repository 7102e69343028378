import { point } from '../../core/point.ts'
import { readRootPassword } from '../../tools/mariadb/root-password.ts'
import type { WebadminArea } from './context.ts'
import { NoPassword } from './problems.ts'

/** Returns the stored password of an account of the SQL server; undefined if there is none. An area that has passwords contributes it. */
export const databasePasswords = point<(username: string) => Promise<string | undefined>>(
  'passwords of database accounts',
)

/** Returns the password of an account: root's is in the file that its installation wrote. */
export async function passwordOf({ files, partsOf }: WebadminArea, username: string): Promise<string> {
  const found =
    username === 'root' ? await readRootPassword(files) : await storedPassword({ partsOf }, username)
  if (found === undefined)
    throw NoPassword(`db_user: no password of ${JSON.stringify(username)} is stored; reset it first`)
  return found
}

async function storedPassword(
  { partsOf }: Pick<WebadminArea, 'partsOf'>,
  username: string,
): Promise<string | undefined> {
  for (const find of partsOf(databasePasswords)) {
    const found = await find(username)
    if (found !== undefined) return found
  }
  return undefined
}

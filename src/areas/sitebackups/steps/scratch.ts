import { Problem } from '../../../core/problem.ts'
import { type Owner, ownerProblems } from '../../../host/owner/index.ts'
import type { SiteName } from '../depot.ts'

/** The restore of a website, whose folder in the home is named for it. */
export interface RestoreArgs extends SiteName {
  readonly scratch: string
}

/** The paths of a restore in the home: where it is unpacked, what was unpacked, the former folder, and the one that is to be removed. */
export const pathsOf = ({ scratch, domain }: RestoreArgs) => ({
  folder: `sites/${domain}`,
  preparing: `sites/${scratch}-new`,
  root: `sites/${scratch}`,
  unpacked: `sites/${scratch}/site`,
  former: `sites/${scratch}/former`,
  refused: `sites/${scratch}/refused`,
  done: `sites/${scratch}-done`,
})

/** Returns the path of the dump of a database in the home. */
export const dumpPath = (scratch: string, at: number): string => `sites/${scratch}/${dumpName(at)}`

/** Returns the name of the dump of a database in the folder of a restore. */
export const dumpName = (at: number): string => `database-${at}.sql.gz`

/** True if a path of the home exists. */
export async function exists(owner: Owner, path: string): Promise<boolean> {
  try {
    await owner.stat(path)
    return true
  } catch (error) {
    if (error instanceof Problem && error.kind === ownerProblems.NoSuchFile) return false
    throw error
  }
}

/** Removes a path of the home with everything in it. */
export async function removeAll(owner: Owner, path: string): Promise<void> {
  if (await exists(owner, path)) await owner.remove([path], { recursive: true })
}

import { type Step, step } from '../../core/change.ts'
import { isMasked, mask } from '../../core/secret.ts'
import type { Websites } from './context.ts'
import type { WebsiteEdit } from './model.ts'
import { SettingInvalid } from './problems.ts'
import type { ProtectedFolder, StoredWebsite } from './store.ts'

type Asked = NonNullable<WebsiteEdit['basic_auth']>

/** Returns the protected folders after an edit; a password that is absent or masked stays. */
export async function protectedAfter(
  { nginx }: Pick<Websites, 'nginx'>,
  { protectedFolders: was }: Pick<StoredWebsite, 'protectedFolders'>,
  asked: Asked,
): Promise<readonly ProtectedFolder[]> {
  assertUnique(
    'folder',
    asked.map(({ folder }) => folder),
  )
  const next: ProtectedFolder[] = []
  for (const { folder, users } of asked) {
    assertUnique(
      `user of ${folder}`,
      users.map(({ username }) => username),
    )
    const known = new Map(
      was.find((each) => each.folder === folder)?.users.map(({ username, hash }) => [username, hash]),
    )
    const hashed: ProtectedFolder['users'][number][] = []
    for (const { username, password } of users) {
      const isNew = password !== undefined && !isMasked(password)
      const hash = isNew ? await nginx.hashPassword(password) : known.get(username)
      if (hash === undefined)
        throw SettingInvalid(`basic_auth: the user ${username} of ${folder} needs a password`)
      hashed.push({ username, hash })
    }
    next.push({ folder, users: hashed })
  }
  return next
}

function assertUnique(what: string, values: readonly string[]): void {
  const twice = values.find((value, index) => values.indexOf(value) !== index)
  if (twice !== undefined) throw SettingInvalid(`basic_auth: the ${what} ${twice} occurs twice`)
}

/** Returns the protected folders as the API shows them. */
export const shownFolders = (folders: readonly ProtectedFolder[]) =>
  folders.map(({ folder, users }) => ({
    folder,
    users: users.map(({ username }) => ({ username, password: mask('') })),
  }))

/** Returns the steps that write the users of protected folders, and those that remove what is no longer used, to be done last. */
export function passwordSteps(
  { nginx }: Pick<Websites, 'nginx'>,
  siteId: number,
  was: readonly ProtectedFolder[],
  next: readonly ProtectedFolder[],
): { readonly first: readonly Step[]; readonly last: readonly Step[] } {
  const write = ({ folder, users }: ProtectedFolder) =>
    step(nginx.steps.writePasswords, { siteId, folder, users })
  const gone = was.filter(({ folder }) => !next.some((each) => each.folder === folder))
  return {
    first: next.map(write),
    last: gone.map(({ folder }) => step(nginx.steps.writePasswords, { siteId, folder, users: null })),
  }
}

import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import type { NginxParts } from '../parts.ts'
import { type HashedUser, passwordsPath, renderPasswords } from '../passwords.ts'

export interface PasswordsArgs {
  readonly siteId: number
  readonly folder: string
  /** Null removes the file. */
  readonly users: readonly HashedUser[] | null
}

const group = 'www-data'

/** The step that writes or removes the users of a protected folder; nginx reads them at each request. */
export function writePasswords({
  host: { files },
  layout,
}: Pick<NginxParts, 'host' | 'layout'>): StepKind<PasswordsArgs, Was<string>, null> {
  const pathOf = ({ siteId, folder }: PasswordsArgs) => passwordsPath(layout, siteId, folder)
  return stateStep({
    name: 'nginx.write-passwords',
    plan: (args) => ({
      title:
        args.users === null
          ? `Remove the users of ${args.folder}`
          : `Write the users of ${args.folder}: ${args.users.map(({ username }) => username).join(', ')}`,
    }),
    read: (args) => files.read(pathOf(args)),
    wanted: ({ users }) => (users === null ? undefined : renderPasswords(users)),
    write: async (args, content) => {
      if (content === undefined) return files.remove(pathOf(args))
      await files.makeDirectory(layout.passwordsDirectory, { mode: 0o711 })
      const gid = groupNumber((await files.read('/etc/group')) ?? '')
      return files.write(pathOf(args), content, {
        rights: { mode: 0o640, ...(gid !== undefined && { gid }) },
      })
    },
  })
}

/** The number of the group of nginx's workers (group(5)). */
function groupNumber(text: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${group}:`))
  return line === undefined ? undefined : Number(line.split(':')[2])
}

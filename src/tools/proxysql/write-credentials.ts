import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { credentialsPath, dataDirectory, socketPath } from './layout.ts'

interface CredentialsArgs {
  readonly password: string
}

interface CredentialsState {
  readonly content?: string
  /** The rights of the folder of its data; absent if there is none. */
  readonly mode?: number
}

/** The step that closes the folder of ProxySQL's data to others, and writes the local account of the admin interface to a file that only root can read. */
export function writeCredentials({
  files,
}: Pick<Host, 'files'>): StepKind<CredentialsArgs, Was<CredentialsState>, null> {
  return stateStep<CredentialsArgs, CredentialsState>({
    name: 'proxysql.write-credentials',
    plan: () => ({
      title: `Write ${credentialsPath}`,
      details: [
        'It has the password of the local admin account, and only root can read it',
        `Only ProxySQL and root may enter ${dataDirectory}: its database holds passwords`,
      ],
    }),
    read: async () => {
      const content = await files.read(credentialsPath)
      const facts = await files.facts(dataDirectory)
      return { ...(content !== undefined && { content }), ...(facts && { mode: facts.mode & 0o777 }) }
    },
    wanted: ({ password }, was) => ({
      content: `[client]\nuser=admin\npassword=${password}\nsocket=${socketPath}\n`,
      ...(was?.mode !== undefined && { mode: 0o700 }),
    }),
    write: async (_args, { content, mode } = {}) => {
      if (content === undefined) await files.remove(credentialsPath)
      else await files.write(credentialsPath, content, { rights: { mode: 0o600 } })
      const facts = await files.facts(dataDirectory)
      if (facts && mode !== undefined && (facts.mode & 0o777) !== mode)
        await files.makeDirectory(dataDirectory, { mode, uid: facts.uid, gid: facts.gid })
    },
  })
}

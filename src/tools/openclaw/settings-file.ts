import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { accountName, certificatePath, environmentPath, settingsDirectory } from './layout.ts'

interface SettingsArgs {
  readonly file: 'environment' | 'certificate'
  /** Null removes the file. */
  readonly content: string | null
}

const paths = { environment: environmentPath, certificate: certificatePath } as const

type Writing = Pick<Host, 'files' | 'accounts'>

/** Writes a file that root owns and the assistant reads, and nobody else. */
export async function writeForAssistant(
  { files, accounts }: Writing,
  path: string,
  content: string,
): Promise<void> {
  const gid = (await accounts.find(accountName))?.gid ?? 0
  await files.makeDirectory(settingsDirectory, { mode: 0o750, uid: 0, gid })
  await files.write(path, content, { rights: { mode: 0o640, uid: 0, gid } })
}

/** The step that writes the file of the assistant's secrets, or the certificate by which it knows the panel. */
export const writeSettings = (host: Writing): StepKind<SettingsArgs, Was<string>, null> =>
  stateStep<SettingsArgs, string>({
    name: 'openclaw.write-settings',
    plan: ({ file, content }) => ({
      title: `${content === null ? 'Remove' : 'Write'} ${paths[file]}`,
      ...(file === 'environment' && { details: ['It has the secrets of the assistant'] }),
    }),
    read: ({ file }) => host.files.read(paths[file]),
    wanted: ({ content }) => content ?? undefined,
    write: async ({ file }, content) => {
      if (content === undefined) await host.files.remove(paths[file])
      else await writeForAssistant(host, paths[file], content)
    },
  })

import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import type { Owner } from '../../../host/owner/index.ts'
import {
  existsInHome,
  makeHomeFolder,
  readHomeFile,
  removeEmptyFolder,
  removeFromHome,
  writeHomeFile,
} from '../../websites/index.ts'
import { panelFolder } from '../home-files.ts'
import type { Place } from '../run-script.ts'
import { signInPlugin } from '../script.ts'

interface SignInArgs extends Pick<Place, 'username' | 'domain'> {
  /** User name of the administrator. */
  readonly user: string
  /** Digest of the token. */
  readonly sha256: string
  /** Seconds since 1970. */
  readonly expires: number
}

interface SignInParts {
  readonly ownerOf: (username: string) => Promise<Owner>
}

/** The files of a link, and the folders that they need. */
interface SignInFiles {
  readonly plugin: string | null
  readonly link: string | null
  readonly hasPluginFolder: boolean
  readonly hasPanelFolder: boolean
}

const pluginFolder = ({ domain }: SignInArgs) => `sites/${domain}/public/wp-content/mu-plugins`
const pluginPath = (args: SignInArgs) => `${pluginFolder(args)}/hostreeve-sign-in.php`
const linkPath = ({ domain }: SignInArgs) => `${panelFolder(domain)}/sign-in.json`

/** The step that writes the digest of a link beside the document root, and the must-use plugin that reads it. */
export function writeSignIn({ ownerOf }: SignInParts): StepKind<SignInArgs, Was<SignInFiles>, null> {
  return stateStep<SignInArgs, SignInFiles>({
    name: 'wordpress.write-sign-in',
    plan: ({ domain, user }) => ({
      title: `Make a link that signs ${user} in to ${domain} once, within five minutes`,
      details: ['Writes a must-use plugin, and the digest of the link beside the document root'],
    }),
    read: async (args) => {
      const owner = await ownerOf(args.username)
      return {
        plugin: (await readHomeFile(owner, pluginPath(args)))?.text ?? null,
        link: (await readHomeFile(owner, linkPath(args)))?.text ?? null,
        hasPluginFolder: await existsInHome(owner, pluginFolder(args)),
        hasPanelFolder: await existsInHome(owner, panelFolder(args.domain)),
      }
    },
    wanted: ({ user, sha256, expires }) => ({
      plugin: signInPlugin,
      link: `${JSON.stringify({ user, sha256, expires })}\n`,
      hasPluginFolder: true,
      hasPanelFolder: true,
    }),
    write: async (args, files) => {
      const owner = await ownerOf(args.username)
      const { plugin, link, hasPluginFolder, hasPanelFolder } = files ?? nothing
      if (hasPluginFolder) await makeHomeFolder(owner, pluginFolder(args))
      if (hasPanelFolder) await makeHomeFolder(owner, panelFolder(args.domain), 0o700)
      await put(owner, pluginPath(args), plugin, 0o644)
      await put(owner, linkPath(args), link, 0o600)
      if (!hasPluginFolder) await removeEmptyFolder(owner, pluginFolder(args))
      if (!hasPanelFolder) await removeEmptyFolder(owner, panelFolder(args.domain))
    },
    notUndone: 'a link ends by itself',
  })
}

const nothing: SignInFiles = { plugin: null, link: null, hasPluginFolder: false, hasPanelFolder: false }

async function put(owner: Owner, path: string, text: string | null, mode: number): Promise<void> {
  if (text === null) await removeFromHome(owner, path)
  else await writeHomeFile(owner, path, text, { mode })
}

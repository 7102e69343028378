import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { AccountFailed } from '../../host/accounts.ts'
import {
  accountName,
  configurationPath,
  directory,
  phpDirectory,
  signOnScript,
  tokensDirectory,
} from './layout.ts'
import { sessionName } from './sign-on.ts'

interface ConfigurationArgs {
  /** The key of phpMyAdmin's cookies, of 32 characters. */
  readonly secret: string
}

/** The file in the directory of each version, where phpMyAdmin looks for its configuration. */
export const renderPointer = (): string =>
  `<?php\n// Written by Hostreeve.\nrequire '${configurationPath}';\n`

/** Renders the configuration. It is written once; what administrators change in it stays. */
export function renderConfiguration({ secret }: ConfigurationArgs): string {
  if (!/^[\w-]{32}$/.test(secret)) throw new Error('the secret has no 32 characters')
  return `<?php
// Written by Hostreeve once; updates of phpMyAdmin keep this file.
declare(strict_types=1);

$cfg['blowfish_secret'] = '${secret}';
$cfg['Servers'][1] = [
    'auth_type' => 'signon',
    'SignonSession' => '${sessionName}',
    'SignonURL' => '${signOnScript}',
    'SignonCookieParams' => ['secure' => true, 'httponly' => true, 'samesite' => 'Lax'],
    'host' => 'localhost',
    'socket' => '/run/mysqld/mysqld.sock',
    'AllowNoPassword' => false,
];
$cfg['TempDir'] = '${phpDirectory}/tmp';
$cfg['UploadDir'] = '';
$cfg['SaveDir'] = '';
$cfg['VersionCheck'] = false;
$cfg['SendErrorReports'] = 'never';
`
}

interface ConfigurationState {
  readonly content?: string
  /** The directories of the account that exist. */
  readonly directories: Readonly<Record<string, true>>
}

const accountDirectories = [phpDirectory, `${phpDirectory}/sessions`, `${phpDirectory}/tmp`, tokensDirectory]

/** The step that writes the configuration where there is none, and makes the directories of the account. */
export function writeConfiguration({
  accounts,
  files,
}: Pick<Host, 'accounts' | 'files'>): StepKind<ConfigurationArgs, Was<ConfigurationState>, null> {
  const write = async ({ content, directories }: ConfigurationState) => {
    const account = await accounts.find(accountName)
    if (account === undefined) throw AccountFailed(`The account ${accountName} does not exist`)
    const { uid, gid } = account
    for (const path of accountDirectories) {
      const isOwn = path !== tokensDirectory // the account removes one-time files, and cannot list them
      const rights = isOwn ? { uid, gid, mode: 0o700 } : { uid: rootUid(), gid, mode: 0o730 }
      if (directories[path]) await files.makeDirectory(path, rights)
      else await files.removeTree(path)
    }
    if (content === undefined) await files.remove(configurationPath)
    else await files.write(configurationPath, content, { rights: { uid: rootUid(), gid, mode: 0o640 } })
  }
  return stateStep<ConfigurationArgs, ConfigurationState>({
    name: 'phpmyadmin.write-configuration',
    plan: () => ({
      title: `Write ${configurationPath}, unless it exists, with a random secret`,
      details: [
        `Sessions and one-time files are kept below ${directory}, where only ${accountName} reads them`,
      ],
    }),
    read: async () => {
      const content = await files.read(configurationPath)
      const found: Record<string, true> = {}
      for (const path of accountDirectories) if ((await files.facts(path)) !== undefined) found[path] = true
      return { ...(content !== undefined && { content }), directories: found }
    },
    wanted: (args, was) => ({
      content: was?.content ?? renderConfiguration(args),
      directories: Object.fromEntries(accountDirectories.map((path) => [path, true])),
    }),
    write: (_args, state) => write(state ?? { directories: {} }),
  })
}

/** Root on a host; the account of the tests in a scratch directory. */
const rootUid = (): number => process.getuid?.() ?? 0

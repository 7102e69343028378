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

/** The step that writes the configuration where there is none, and makes the directories of the account. */
export function writeConfiguration({
  accounts,
  files,
}: Pick<Host, 'accounts' | 'files'>): StepKind<ConfigurationArgs, Was<string>, null> {
  const write = async (content: string) => {
    const account = await accounts.find(accountName)
    if (account === undefined) throw AccountFailed(`The account ${accountName} does not exist`)
    const { uid, gid } = account
    await files.makeDirectory(directory, { mode: 0o711 })
    for (const path of [phpDirectory, `${phpDirectory}/sessions`, `${phpDirectory}/tmp`])
      await files.makeDirectory(path, { uid, gid, mode: 0o700 })
    await files.makeDirectory(tokensDirectory, { uid: rootUid(), gid, mode: 0o730 })
    await files.write(configurationPath, content, { rights: { uid: rootUid(), gid, mode: 0o640 } })
  }
  const remove = async () => {
    await files.remove(configurationPath)
    for (const path of [tokensDirectory, phpDirectory]) await files.removeTree(path)
    await files.removeDirectory(directory)
  }
  return stateStep<ConfigurationArgs, string>({
    name: 'phpmyadmin.write-configuration',
    plan: () => ({
      title: `Write ${configurationPath}, unless it exists, with a random secret`,
      details: [
        `Sessions and one-time files are kept below ${directory}, where only ${accountName} reads them`,
      ],
    }),
    read: () => files.read(configurationPath),
    wanted: (args, was) => was ?? renderConfiguration(args),
    isOurs: () => true, // administrators edit it
    isInEffect: async () => (await files.facts(tokensDirectory)) !== undefined,
    write: (_args, content) => (content === undefined ? remove() : write(content)),
  })
}

/** Root on a host; the account of the tests in a scratch directory. */
const rootUid = (): number => process.getuid?.() ?? 0

import type { Host } from '../../host/index.ts'
import { tool } from '../tool.ts'
import { makeAccount } from './account.ts'
import { writeConfiguration } from './configuration.ts'
import {
  accountName,
  applicationDirectory,
  compareVersions,
  directory,
  isVersion,
  versionsDirectory,
} from './layout.ts'
import { removeRelease } from './remove.ts'
import { newestRelease } from './source.ts'
import { removeExpired, writeToken } from './tokens.ts'
import { isUnpacked, unpackRelease } from './unpack.ts'

export { AccountFailed } from '../../host/accounts.ts'
export { DownloadFailed, ExtractFailed, TokenFailed } from './problems.ts'
export { signOnAddress, tokenSeconds } from './sign-on.ts'

/** phpMyAdmin, an application of PHP that the panel downloads, serves and updates. */
export const phpmyadmin = tool({
  name: 'phpmyadmin',
  title: 'phpMyAdmin',
  packages: [],
  isOptional: true,
  steps: ({ host }) => ({
    makeAccount: makeAccount(host),
    unpack: unpackRelease(host),
    removeRelease: removeRelease(host),
    writeConfiguration: writeConfiguration(host),
    writeToken: writeToken(host),
  }),
  verbs: ({ host }) => ({
    accountName,
    directory,
    applicationDirectory,
    compareVersions,
    /** The versions on this host, the newest first. */
    versions: () => versions(host),
    /** Reads the newest version that the base addresses offer. */
    newest: (bases: readonly string[]) => newestRelease({ fetch: host.fetch, bases }),
    /** Removes one-time files that were written before a time. */
    removeExpired: (before: Date) => removeExpired(host, before),
  }),
})

async function versions({ files }: Pick<Host, 'files'>): Promise<readonly string[]> {
  const found: string[] = []
  for (const name of await files.list(versionsDirectory))
    if (isVersion(name) && (await isUnpacked(files, name))) found.push(name)
  return found.toSorted((one, other) => compareVersions(other, one))
}

/** The Linux account that runs phpMyAdmin, and nothing else. */
export const accountName = 'hostreeve-webadmin'

/** The directory of everything that belongs to phpMyAdmin; root owns it, its account may only read. */
export const directory = '/var/lib/hostreeve-webadmin'

/** The versions of phpMyAdmin, each in a directory that root owns. */
export const versionsDirectory = `${directory}/versions`

/** Sessions, temporary files and the log of its PHP. */
export const phpDirectory = `${directory}/php`

/** One-time files, each named for the digest of its token. The account removes them and cannot list them. */
export const tokensDirectory = `${directory}/tokens`

/** The configuration, which every version reads, so that an update keeps it. */
export const configurationPath = `${directory}/config.inc.php`

/** The sign-on script, in the directory of each version. */
export const signOnScript = 'signon.php'

/** True for a version as phpMyAdmin numbers it. */
export const isVersion = (text: string): boolean => /^\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(text)

const checked = (version: string): string => {
  if (!isVersion(version)) throw new Error(`no version of phpMyAdmin: ${JSON.stringify(version)}`)
  return version
}

/** The directory in an archive that contains everything else. */
export const innerDirectory = (version: string): string => `phpMyAdmin-${checked(version)}-all-languages`

/** The directory that the web server serves. */
export const applicationDirectory = (version: string): string =>
  `${versionsDirectory}/${checked(version)}/${innerDirectory(version)}`

/** Above 0 if the first version is newer. */
export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}

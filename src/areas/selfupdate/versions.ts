/** Three numbers: the versions of the panel. */
export const versionPattern = '^\\d{1,5}\\.\\d{1,5}\\.\\d{1,5}$'

/** Above 0 if the first version is newer. */
export const compareVersions = (one: string, other: string): number => orderOf(one) - orderOf(other)

/** Five digits for each of three numbers are exact in a number. What follows them, as in a build for tests, does not count. */
const orderOf = (version: string): number =>
  version.split('.').reduce((order, number) => order * 100_000 + Number.parseInt(number, 10), 0)

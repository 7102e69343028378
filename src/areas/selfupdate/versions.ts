/** Three numbers: the versions of the panel. */
export const versionPattern = '^\\d{1,6}\\.\\d{1,6}\\.\\d{1,6}$'

/** Above 0 if the first version is newer. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number)) as [number[], number[]]
  const at = a.findIndex((number, index) => number !== b[index])
  return at === -1 ? 0 : (a[at] as number) - (b[at] ?? 0)
}

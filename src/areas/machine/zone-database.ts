import type { Host } from '../../host/index.ts'

export const linkPath = '/etc/localtime'
export const zoneFolder = '/usr/share/zoneinfo'

type ZoneHost = Pick<Host, 'files' | 'run'>

/** Returns the target of /etc/localtime; undefined where it is no link. */
export async function readZoneLink({ files, run }: ZoneHost): Promise<string | undefined> {
  if ((await files.facts(linkPath))?.kind !== 'link') return undefined
  const { code, stdout } = await run(['readlink', '--', files.real(linkPath)], { timeoutMs: 10_000 })
  return code === 0 ? stdout.trim() : undefined
}

/** Returns the name of the zone of a link; UTC where there is none (localtime(5)). */
export const zoneOf = (target: string | undefined): string => target?.split('zoneinfo/')[1] ?? 'UTC'

/** Returns the name of the time zone of the host. */
export const readZone = async (host: ZoneHost): Promise<string> => zoneOf(await readZoneLink(host))

/** True if the host has the zone database. */
export const hasZones = async ({ files }: ZoneHost): Promise<boolean> =>
  (await files.facts(zoneFolder))?.kind === 'directory'

/**
 * True if the zone database has a file of this name (tzfile(5)), itself or as another name of a zone. Debian's `localtime`
 * is a link to /etc/localtime, which would then lead to itself.
 */
export async function hasZone({ files, run }: ZoneHost, zone: string): Promise<boolean> {
  const path = files.real(`${zoneFolder}/${zone}`)
  const isLink = (await files.facts(`${zoneFolder}/${zone}`))?.kind === 'link'
  const target = isLink ? (await run(['readlink', '--', path], { timeoutMs: 10_000 })).stdout.trim() : ''
  if (target === linkPath) return false
  const { code, stdout } = await run(['head', '--bytes=4', '--', path], { timeoutMs: 10_000 })
  return code === 0 && stdout === 'TZif'
}

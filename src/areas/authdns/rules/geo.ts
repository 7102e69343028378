import { isAbsolute } from 'node:path'
import type { Authdns } from '../context.ts'
import { GeoUnavailable } from '../problems.ts'
import type { GeoState } from './model.ts'

const staleMs = 90 * 86_400_000

/** Reads whether rules by country can be made, and how old their file is. */
export async function readGeo({ tool, geoFile }: Authdns, now: Date): Promise<GeoState> {
  const none = { available: false, file: geoFile || null, built_at: null, stale: false }
  if (geoFile === '')
    return { ...none, reason: 'Set geoip_file to an MMDB file with countries in the settings' }
  if (!isAbsolute(geoFile) || /[\s,;]/.test(geoFile))
    return { ...none, reason: 'geoip_file must be an absolute path without spaces, commas and semicolons' }
  const built = await tool.geoFileBuiltAt(geoFile)
  if (built === undefined) return { ...none, reason: `geoip_file: ${geoFile} is not a readable MMDB file` }
  const known = { ...none, built_at: built.toISOString(), stale: now.getTime() - built.getTime() > staleMs }
  if (!(await tool.hasGeoModule())) return { ...known, reason: 'Install the package pdns-backend-geoip' }
  return { ...known, available: true, reason: null }
}

/** Returns the settings that LUA records need; those of countries only where they are available. */
export async function rulesSettings(on: Authdns, now: Date, needsGeo: boolean) {
  const { available, reason } = await readGeo(on, now)
  if (needsGeo && !available) throw GeoUnavailable(`rule_type: ${reason}`)
  const geo = [
    ['launch+', 'geoip'],
    ['geoip-database-files', `mmdb:${on.geoFile}`],
  ] as const
  return [['edns-subnet-processing', 'yes'] as const, ...(available ? geo : [])]
}

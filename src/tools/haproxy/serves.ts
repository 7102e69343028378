import { changedAt } from '../../host/apply/edited-file.ts'
import type { HaproxyParts } from './parts.ts'

/**
 * Start times have a resolution of one or two hundredths of a second; a reload takes longer than that after
 * the previous one.
 */
const toleranceMs = 40

/**
 * True if the running HAProxy was started after one of its files was last put in place. A stopped HAProxy
 * serves nothing outdated.
 */
export async function servesCurrentFile(
  { host, layout, program }: Pick<HaproxyParts, 'host' | 'layout' | 'program'>,
  path = layout.configPath,
): Promise<boolean> {
  const startedAt = await program.startedAt()
  if (startedAt === undefined || (await host.files.facts(path)) === undefined) return true
  return (await changedAt(host.files, path)) <= startedAt + toleranceMs
}

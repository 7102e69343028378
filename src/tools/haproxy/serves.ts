import { changedAt } from '../../host/apply/edited-file.ts'
import type { HaproxyParts } from './index.ts'

/** Starts are known to a hundredth of a second or two; a reload takes longer than that after another. */
const toleranceMs = 40

/** Whether the running HAProxy was started after a file of its own was last put in place. One that does not run serves nothing old. */
export async function servesWhatLies(
  { host, layout, program }: Pick<HaproxyParts, 'host' | 'layout' | 'program'>,
  path = layout.configPath,
): Promise<boolean> {
  const startedAt = await program.startedAt()
  if (startedAt === undefined || (await host.files.facts(path)) === undefined) return true
  return (await changedAt(host.files, path)) <= startedAt + toleranceMs
}

import { type Change, change, type Step } from '../../core/change.ts'
import type { Lock } from '../../core/lock.ts'
import { point } from '../../core/point.ts'
import type { System } from './context.ts'
import type { Rewritten } from './model.ts'

/** The files of one area that have to be written again. */
export interface RewrittenFiles extends Rewritten {
  readonly summary: string
  readonly locks: readonly Lock[]
  readonly steps: readonly Step[]
}

/**
 * The files that are rendered again from the store, for example after a program was purged and reinstalled.
 */
export const rewrittenFiles = point<(overwrite: boolean) => Promise<RewrittenFiles>>('rewritten files')

/** Plans to write all files again that differ from the store, in one change. */
export async function rewriteAll({ partsOf }: System, overwrite: boolean): Promise<Change<Rewritten>> {
  const parts: RewrittenFiles[] = []
  for (const compare of partsOf(rewrittenFiles)) parts.push(await compare(overwrite))
  return change({
    summary: parts.map(({ summary }) => summary).join('; ') || 'Write no files again',
    locks: parts.flatMap(({ locks }) => locks),
    steps: parts.flatMap(({ steps }) => steps),
    reply: { written: parts.flatMap(({ written }) => written), left: parts.flatMap(({ left }) => left) },
  })
}

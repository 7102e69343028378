import type { PreviewExtent } from '../../../host/owner/index.ts'
import { counted, firstOf } from '../count-text.ts'

/** Formats an extent: `3 entries, 12 bytes in all`, with `more than …` if the count reached its time limit. */
export function reachOf({ entries, bytes, isCut }: PreviewExtent): string {
  return `${isCut ? 'more than ' : ''}${counted(entries, 'entry', 'entries')}, ${counted(bytes, 'byte')} in all`
}

/** Describes what is made or replaced at the destination. */
export function placeOf({ paths, replaced }: Pick<PreviewExtent, 'paths' | 'replaced'>): string {
  const place = firstOf(paths, paths.length)
  if (replaced === undefined) return `Makes ${place}`
  if (replaced.type !== 'file') return `Replaces the link ${place}, which the history does not keep`
  return `Replaces ${place} of ${counted(replaced.size, 'byte')}, which the history keeps as far as its limits go`
}

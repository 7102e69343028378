import type { PreviewExtent } from '../../../host/owner/index.ts'
import { counted, firstOf } from '../count-text.ts'

/** How much is reached, in words: `3 entries, 12 bytes in all`, and `more than …` where not all could be counted in a moment. */
export function reachOf({ entries, bytes, isCut }: PreviewExtent): string {
  return `${isCut ? 'more than ' : ''}${counted(entries, 'entry', 'entries')}, ${counted(bytes, 'byte')} in all`
}

/** What comes of the place that something takes, and of what stands there. */
export function placeOf({ paths, replaced }: Pick<PreviewExtent, 'paths' | 'replaced'>): string {
  const place = firstOf(paths, paths.length)
  if (replaced === undefined) return `Makes ${place}`
  if (replaced.type !== 'file') return `Replaces the link ${place}, which the history does not keep`
  return `Replaces ${place} of ${counted(replaced.size, 'byte')}, which the history keeps as far as its limits go`
}

import type { AppEntry, ApplicationId } from './entry.ts'
import { dokuwiki } from './dokuwiki.ts'
import { starter } from './starter.ts'
import { wordpress } from './wordpress.ts'

/** The applications that can be installed, in the order in which they are shown. */
export const entries: readonly AppEntry[] = [wordpress, dokuwiki, starter]

/** Returns the entry of an application. */
export function entryOf(id: ApplicationId): AppEntry {
  const entry = entries.find((each) => each.id === id)
  if (entry === undefined) throw new Error(`the catalog has no application ${id}`)
  return entry
}

import { mayReplace, stamped } from '../host/apply/stamp.ts'

/** The state of a site's file compared with its wanted content. */
export type SiteState = 'as wanted' | 'to be written' | 'edited by hand'

/** Compares the file of a site as it is with what the panel renders. */
export function siteStateOf(live: string | undefined, content: string): SiteState {
  const wanted = stamped(content)
  if (live === wanted) return 'as wanted'
  return mayReplace(live, wanted) ? 'to be written' : 'edited by hand'
}

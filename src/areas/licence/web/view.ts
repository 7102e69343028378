import { humanize } from '../../../web/kit/format.ts'
import type { PanelLicence } from '../model.ts'

/** One line of the page: a term, and its text or time. */
export interface Fact {
  readonly term: string
  readonly text?: string
  /** Shown as a time; null for never. */
  readonly time?: string | null
}

/** The licence as the page shows it. */
export interface LicenceView {
  /** In one word: `none`, `active`, `blocked`, `expired`, or what the licence server calls it. */
  readonly state: string
  /** What the state means for this host. */
  readonly meaning: string
  readonly facts: readonly Fact[]
  readonly features: readonly { readonly name: string; readonly isAvailable: boolean }[]
}

const limitText = (most: number | null): string => (most === null ? 'Any number' : `At most ${most}`)

/** Returns what the page shows of a licence; a licence that is not in force grants no feature and sets no limit. */
export function viewOf({ license, features, in_force, max_websites }: PanelLicence): LicenceView {
  const limit: Fact = { term: 'Websites', text: limitText(max_websites) }
  if (license === null)
    return { state: 'none', meaning: 'No licence is stored.', facts: [limit], features: [] }
  const state = license.blocked ? 'blocked' : license.status
  return {
    state,
    meaning: in_force
      ? 'Its features and limits apply.'
      : `The licence is ${state}: its features are unavailable and its limits do not apply.`,
    facts: [
      { term: 'Key', text: license.key },
      { term: 'Tier', text: humanize(license.tier) },
      { term: 'Host', text: license.host },
      { term: 'Expires', time: license.expires_at },
      limit,
    ],
    features: Object.entries(features)
      .map(([name, isGranted]) => ({ name, isAvailable: isGranted && in_force }))
      .toSorted((one, other) => one.name.localeCompare(other.name)),
  }
}

import type { Scalar } from '../../core/change.ts'
import { differingColumns, type Row, type RowDifference } from '../../store/differences.ts'

/**
 * What a restore does about a row that differs: `restored` makes it as it was, `left` leaves it as it is, and a text is the reason
 * why the snapshot does not fit, as the end of "name: …".
 */
type Rule = (
  now: Row | undefined,
  then: Row | undefined,
) => 'restored' | 'left' | { readonly refused: string }

const restored: Rule = () => 'restored'

/** Rows that stand for more than settings, such as a home or a database: a restore neither makes nor deletes one. */
const existing =
  (noun: string, nameOf: (row: Row) => Scalar | undefined): Rule =>
  (now, then) => {
    if (now !== undefined && then !== undefined) return 'left'
    return {
      refused: `${noun} ${nameOf(now ?? then ?? {})} was ${then === undefined ? 'created' : 'deleted'}`,
    }
  }

/** What nginx alone has of a website. */
const servedColumns: ReadonlySet<string> = new Set(['https_redirect', 'hsts', 'updated_at'])

const website: Rule = (now, then) => {
  if (now === undefined || then === undefined)
    return existing('the website', ({ domain }) => domain)(now, then)
  const column = differingColumns(now, then).find((name) => !servedColumns.has(name))
  if (column === undefined) return 'restored'
  return { refused: `${column} of the website ${now['domain']} was changed` }
}

const audit: Rule = (now, then) => {
  const isSame = (['enabled', 'commands'] as const).every(
    (name) => (now?.[name] ?? 0) === (then?.[name] ?? 0),
  )
  return isSame ? 'restored' : { refused: 'the SSH audit was started or ended' }
}

/**
 * The tables that a restore looks at, each after those that it refers to. It makes those as they were whose whole effect is in managed
 * files, in the panel, or in what `restoreSupport` gives a website. Users, keys, sessions, activity, jobs and histories are never taken back.
 */
const rules: Readonly<Record<string, Rule>> = {
  websites: website,
  website_aliases: restored,
  website_settings: restored,
  website_access: () => ({ refused: 'the access rules of websites were changed' }),
  website_creation: restored,
  databases: existing('the database', ({ name }) => name),
  webadmin: () => ({ refused: 'phpMyAdmin was installed, changed or removed' }),
  logstore_sources: existing('the source of log lines', ({ name }) => name),
  remote_logging: restored,
  ssh_audit: audit,
  dns_templates: restored,
}

export const comparedTables: readonly string[] = Object.keys(rules)

/** Returns why differences of the store make a snapshot unfit; undefined if they do not. */
export const reasonOf = (differences: readonly RowDifference[]): string | undefined =>
  differences.map((each) => verdictOn(each)).find((verdict) => typeof verdict === 'object')?.refused

/** The differences that a restore takes back. */
export const restoredOf = (differences: readonly RowDifference[]): readonly RowDifference[] =>
  differences.filter((each) => verdictOn(each) === 'restored')

const verdictOn = ({ table, now, former }: RowDifference) => rules[table]?.(now, former) ?? 'left'

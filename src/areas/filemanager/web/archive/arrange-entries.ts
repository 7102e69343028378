import type { ListState } from '../../../../web/kit/list-state.ts'
import { naturally } from '../../../../web/kit/natural-order.ts'
import type { Page } from '../../../../web/wire.ts'
import { pathFrom, shown } from '../names.ts'
import type { ArchiveEntry } from './queries.ts'

/** An entry with the text of its path and its position in the archive: an archive may name a path twice. */
export interface LabelledEntry extends ArchiveEntry {
  readonly at: number
  readonly label: string
}

const orders: Readonly<Record<string, (one: LabelledEntry, other: LabelledEntry) => number>> = {
  path: (one, other) => naturally(one.label, other.label),
  type: (one, other) => naturally(one.type, other.type),
  size_bytes: (one, other) => one.size_bytes - other.size_bytes,
  modified_at: (one, other) => Date.parse(one.modified_at) - Date.parse(other.modified_at),
}

/** Adds to each entry its position, and its path as it is displayed. */
export const labelled = (entries: readonly ArchiveEntry[]): readonly LabelledEntry[] =>
  entries.map((entry, at) => ({ ...entry, at, label: shown(pathFrom(entry.path, entry.path_b64)) }))

/** Returns the page of entries that a list shows: those whose path contains the search, in its order. */
export function pageOfEntries(
  entries: readonly LabelledEntry[],
  { page, per_page: perPage, sort, search = '' }: ListState['asked'],
): Page<LabelledEntry> {
  const wanted = search.toLowerCase()
  const found = entries.filter(({ label }) => label.toLowerCase().includes(wanted))
  const order = orders[sort.replace(/^-/, '')] ?? (() => 0)
  const sorted = found.toSorted((one, other) =>
    sort.startsWith('-') ? order(other, one) : order(one, other),
  )
  const items = sorted.slice((page - 1) * perPage, page * perPage)
  return { items, total: found.length, page, per_page: perPage }
}

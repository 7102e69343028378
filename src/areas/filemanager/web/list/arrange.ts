import type { Item } from '../queries.ts'

const text = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Filters and sorts a completely loaded folder: folders first, numbers in names by value. */
export function arrange(items: readonly Item[], sort: string, filter: string): readonly Item[] {
  const wanted = filter.trim().toLocaleLowerCase()
  const kept = wanted === '' ? items : items.filter(({ label }) => label.toLocaleLowerCase().includes(wanted))
  const way = sort.startsWith('-') ? -1 : 1
  const column = sort.replace(/^-/, '')
  return kept.toSorted(
    (a, b) =>
      Number(b.type === 'folder') - Number(a.type === 'folder') ||
      way * compare(a, b, column) ||
      text.compare(a.label, b.label),
  )
}

function compare(a: Item, b: Item, column: string): number {
  if (column === 'size_bytes') return a.size_bytes - b.size_bytes
  if (column === 'modified_at') return Date.parse(a.modified_at) - Date.parse(b.modified_at)
  if (column === 'type') return text.compare(endingOf(a.label), endingOf(b.label))
  return text.compare(a.label, b.label)
}

function endingOf(name: string): string {
  const at = name.lastIndexOf('.')
  return at > 0 ? name.slice(at + 1) : ''
}

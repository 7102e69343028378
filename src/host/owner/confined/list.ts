import { readdirSync } from 'node:fs'
import type { EntryRow, ListCall } from './calls.ts'
import { isLeftover, isReserved, join, local } from './paths.ts'
import { removeTree } from './remove-tree.ts'
import { describe } from './stat.ts'

/** Lists a folder, one page. Sorted by name only the page is looked at, else every entry. */
export function listFolder(call: ListCall): { total: number; entries: readonly EntryRow[] } {
  const folder = call.path.replace(/\/+$/, '')
  const all = readdirSync(local(call.path), { encoding: 'latin1' })
  for (const name of all) if (isLeftover(name)) void removeLeftover(join(folder, name))
  const names = all.filter((name) => !isReserved(name) && (call.hidden || !name.startsWith('.')))
  const way = call.descending ? -1 : 1
  if (call.sort === 'name') {
    names.sort()
    if (call.descending) names.reverse()
    return { total: names.length, entries: rows(folder, names.slice(call.offset, call.offset + call.limit)) }
  }
  const entries = rows(folder, names)
  entries.sort((a, b) => way * compare(a, b, call.sort) || (a.name < b.name ? -1 : 1))
  return { total: names.length, entries: entries.slice(call.offset, call.offset + call.limit) }
}

/** Removes what a run that was killed left behind; failing is harmless, the next list tries again. */
export async function removeLeftover(path: string): Promise<void> {
  await removeTree(path).catch(() => {})
}

// An entry that vanished between reading the folder and looking at it is left out.
function rows(folder: string, names: readonly string[]): EntryRow[] {
  const found: EntryRow[] = []
  for (const name of names) {
    try {
      found.push(describe(join(folder, name), name))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
  return found
}

function compare(a: EntryRow, b: EntryRow, sort: ListCall['sort']): number {
  if (sort === 'size_bytes') return a.size - b.size
  if (sort === 'modified_at') return a.mtimeMs - b.mtimeMs
  return a.type < b.type ? -1 : a.type > b.type ? 1 : 0
}

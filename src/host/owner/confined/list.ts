import { readdirSync } from 'node:fs'
import type { ByteString, EntryRow, ListCall } from './calls.ts'
import { isLeftover, isReserved, join, local } from './paths.ts'
import { removeTree } from './remove-tree.ts'
import { describe } from './stat.ts'

/** Lists a folder, one page. Sorted by name only the page is looked at, else every entry. */
export function listFolder(call: ListCall): { total: number; entries: readonly EntryRow[] } {
  const folder = call.path.replace(/\/+$/, '')
  const all = readdirSync(local(call.path), { encoding: 'latin1' })
  for (const name of all) if (isLeftover(name)) void removeLeftover(join(folder, name))
  const names = all.filter(isWanted(call))
  if (call.sort === 'name') {
    names.sort()
    if (call.descending) names.reverse()
    const ordered = call.foldersFirst ? foldersThenRest(call, names) : names
    return { total: names.length, entries: rows(folder, ordered.slice(call.offset, call.offset + call.limit)) }
  }
  const entries = rows(folder, names).toSorted(order(call))
  return { total: names.length, entries: entries.slice(call.offset, call.offset + call.limit) }
}

function isWanted({ hidden, search }: ListCall): (name: ByteString) => boolean {
  const wanted = search === undefined ? '' : folded(search)
  return (name) => !isReserved(name) && (hidden || !name.startsWith('.')) && (wanted === '' || folded(name).includes(wanted))
}

/** Bytes as text in one case. */
const folded = (bytes: ByteString): string => Buffer.from(bytes, 'latin1').toString().toLowerCase()

// The folder itself says what is a folder, so that only a page of its entries is looked at.
function foldersThenRest({ path }: ListCall, names: readonly ByteString[]): readonly ByteString[] {
  const entries = readdirSync(local(path), { encoding: 'latin1', withFileTypes: true })
  const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name))
  return [...names.filter((name) => folders.has(name)), ...names.filter((name) => !folders.has(name))]
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

function order({ sort, descending, foldersFirst }: ListCall): (a: EntryRow, b: EntryRow) => number {
  const way = descending ? -1 : 1
  const rank = ({ type }: EntryRow) => (foldersFirst === true && type !== 'folder' ? 1 : 0)
  return (a, b) => rank(a) - rank(b) || way * compare(a, b, sort) || (a.name < b.name ? -1 : 1)
}

function compare(a: EntryRow, b: EntryRow, sort: ListCall['sort']): number {
  if (sort === 'size_bytes') return a.size - b.size
  if (sort === 'modified_at') return a.mtimeMs - b.mtimeMs
  return a.type < b.type ? -1 : a.type > b.type ? 1 : 0
}

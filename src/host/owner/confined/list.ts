import { type Dirent, lstatSync, opendirSync, readdirSync, type Stats } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import type { ByteString, EntryRow, ListCall } from './calls.ts'
import { isLeftover, isReserved, join, local } from './paths.ts'
import { removeTree } from './remove-tree.ts'
import { describe, typeOf } from './stat.ts'

/** Lists one page of a folder: sorted by name, only the entries of the page are examined; otherwise every entry, but only its sort key is kept. */
export async function listFolder(call: ListCall): Promise<{ total: number; entries: readonly EntryRow[] }> {
  const folder = call.path.replace(/\/+$/, '')
  const all = readdirSync(local(call.path), { encoding: 'latin1' })
  for (const name of all) if (isLeftover(name)) void removeLeftover(join(folder, name))
  const names = all.filter(isWanted(call))
  const ordered = call.sort === 'name' ? byName(call, names) : await byProperty(call, names)
  return { total: names.length, entries: rows(folder, ordered.slice(call.offset, call.offset + call.limit)) }
}

function byName(call: ListCall, names: ByteString[]): readonly ByteString[] {
  names.sort()
  if (call.descending) names.reverse()
  return call.foldersFirst ? foldersThenRest(call, names) : names
}

function isWanted({ hidden, search }: ListCall): (name: ByteString) => boolean {
  const wanted = search === undefined ? '' : folded(search)
  return (name) =>
    !isReserved(name) && (hidden || !name.startsWith('.')) && (wanted === '' || folded(name).includes(wanted))
}

/** Returns bytes as lower-case text. */
const folded = (bytes: ByteString): string => Buffer.from(bytes, 'latin1').toString().toLowerCase()

const manyEntries = 50_000

// readdir reports which entries are folders, so that only one page of them needs lstat.
function foldersThenRest({ path }: ListCall, names: readonly ByteString[]): readonly ByteString[] {
  const folders = new Set<ByteString>()
  for (const entry of names.length < manyEntries ? allOf(path) : eachEntry(path))
    if (entry.isDirectory()) folders.add(entry.name)
  return [...names.filter((name) => folders.has(name)), ...names.filter((name) => !folders.has(name))]
}

function allOf(path: ByteString): readonly Dirent[] {
  return readdirSync(local(path), { encoding: 'latin1', withFileTypes: true })
}

// Slower, but a million entries at once exceed the memory of this process.
function* eachEntry(path: ByteString): Generator<Dirent> {
  using entries = opendirSync(local(path), { encoding: 'latin1', bufferSize: 1024 })
  for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) yield entry
}

/** Removes the leftovers of a killed run; a failure is harmless, the next list tries again. */
export async function removeLeftover(path: string): Promise<void> {
  await removeTree(path).catch(() => {})
}

// An entry that vanished between readdir and lstat is left out.
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

const turnMs = 10

// A million entries as rows exceed the memory of this process, and other calls must run in between.
async function byProperty({ path, sort, descending, foldersFirst }: ListCall, names: readonly ByteString[]) {
  const folder = path.replace(/\/+$/, '')
  const [keys, ranks] = [new Float64Array(names.length), new Uint8Array(names.length)]
  let since = performance.now()
  for (const [at, name] of names.entries()) {
    if (performance.now() - since > turnMs) {
      await turn()
      since = performance.now()
    }
    const found = lstatSync(local(join(folder, name)), { throwIfNoEntry: false })
    if (found === undefined) continue
    keys[at] = keyOf(found, sort)
    ranks[at] = foldersFirst === true && !found.isDirectory() ? 1 : 0
  }
  const way = descending ? -1 : 1
  const order = (a: number, b: number) =>
    ranks[a]! - ranks[b]! || way * (keys[a]! - keys[b]!) || (names[a]! < names[b]! ? -1 : 1)
  return [...new Uint32Array(names.length).map((_, at) => at).sort(order)].map((at) => names[at]!)
}

const types = ['file', 'folder', 'link', 'other'] as const

function keyOf(found: Stats, sort: ListCall['sort']): number {
  if (sort === 'size_bytes') return found.size
  if (sort === 'modified_at') return Math.trunc(found.mtimeMs)
  return types.indexOf(typeOf(found))
}

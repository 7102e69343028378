import { calls, carryOut } from './calls.ts'
import { askOnce, type Choice } from './conflicts.ts'
import { shown } from './names.ts'
import { isWithin, joinPath, nameOf, otherName } from './paths.ts'
import { type Item, stands, type Whose } from './queries.ts'

const mostTries = 1000

/** Where something goes, or that it stays out. */
export type Spot = { readonly path: string; readonly overwrite: boolean } | 'skipped'

/** Moves or copies entries into a folder one by one, asking where a place is taken. */
export function placer(whose: Whose, verb: 'move' | 'copy', folder: string): (item: Item) => Promise<void> {
  const ask = askOnce()
  return async (item) => {
    if (item.type === 'folder' && isWithin(folder, item.path)) throw new Error('A folder cannot go into itself')
    const wanted = joinPath(folder, item.name)
    if (wanted === item.path && verb === 'move') return
    const there = await stands(whose, wanted)
    const choice: Choice =
      there === undefined
        ? 'overwrite'
        : wanted === item.path
          ? 'both'
          : await ask({ label: item.label, folder: shown(folder), isFolder: item.type === 'folder', there, comes: item })
    const spot = await spotFor(whose, wanted, choice, there !== undefined)
    if (spot === 'skipped') return
    await carryOut(calls[verb](whose, item.path, spot.path, spot.overwrite))
  }
}

/** The path that a choice leads to; a second name is one that is free. */
export async function spotFor(whose: Whose, wanted: string, choice: Choice, isTaken: boolean): Promise<Spot> {
  if (choice === 'skip') return 'skipped'
  if (choice === 'overwrite') return { path: wanted, overwrite: isTaken }
  const folder = wanted.split('/').slice(0, -1).join('/')
  for (let count = 2; count < mostTries; count++) {
    const path = joinPath(folder, otherName(nameOf(wanted), count))
    if ((await stands(whose, path)) === undefined) return { path, overwrite: false }
  }
  throw new Error(`No free name was found for ${shown(wanted)}`)
}

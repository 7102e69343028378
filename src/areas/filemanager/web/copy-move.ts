import { run } from '../../../web/client.ts'
import { calls } from './calls.ts'
import { askOnce, type Choice } from './conflicts.ts'
import { fileJobs } from './jobs/file-jobs.ts'
import { shown } from './names.ts'
import { isWithin, joinPath, nameOf, otherName } from './paths.ts'
import { type Item, stands, type Whose } from './queries.ts'

const mostTries = 1000
const mostAtOnce = 1000
const looksAtOnce = 6

/** The destination of an entry, or the decision to skip it. */
export type Spot = { readonly path: string; readonly overwrite: boolean } | 'skipped'

interface Transfer {
  readonly whose: Whose
  readonly verb: 'move' | 'copy'
  readonly items: readonly Item[]
  readonly folder: string
}

/** Moves or copies entries into a folder by a job, after asking about name conflicts. */
export async function placeAll(transfer: Transfer): Promise<void> {
  const { whose, verb, items, folder } = transfer
  if (items.some((item) => item.type === 'folder' && isWithin(folder, item.path)))
    throw new Error('A folder cannot be moved or copied into itself.')
  const places = await spotsOf(transfer)
  const where = folder === '' ? 'Home' : shown(nameOf(folder))
  for (let first = 0; first < places.length; first += mostAtOnce) {
    const some = places.slice(first, first + mostAtOnce)
    const name = some[0]?.item.label ?? ''
    const { job_id: jobId } = await run(
      calls.place(
        whose,
        verb,
        some.map(({ item, path, overwrite }) => ({ from: item.path, to: path, overwrite })),
      ),
    )
    const done = `${some.length === 1 ? name : `${some.length} entries`} ${verb === 'move' ? 'moved' : 'copied'} to ${where}.`
    void fileJobs.follow({ jobId, verb, name, count: some.length, done })
  }
}

type ItemSpot = Exclude<Spot, 'skipped'> & { readonly item: Item }

async function spotsOf({ whose, verb, items, folder }: Transfer): Promise<readonly ItemSpot[]> {
  const ask = askOnce()
  const spots: ItemSpot[] = []
  const coming = items.filter((item) => verb === 'copy' || joinPath(folder, item.name) !== item.path)
  for (let first = 0; first < coming.length; first += looksAtOnce) {
    const some = coming.slice(first, first + looksAtOnce)
    const there = await Promise.all(some.map((item) => stands(whose, joinPath(folder, item.name))))
    for (const [index, item] of some.entries()) {
      const wanted = joinPath(folder, item.name)
      const standing = there[index]
      const choice: Choice =
        standing === undefined
          ? 'overwrite'
          : wanted === item.path
            ? 'both'
            : await ask({
                label: item.label,
                folder: shown(folder),
                isFolder: item.type === 'folder',
                there: standing,
                comes: item,
              })
      const spot = await spotFor(whose, wanted, choice, standing !== undefined)
      if (spot !== 'skipped') spots.push({ item, ...spot })
    }
  }
  return spots
}

/** Returns the path for a choice; keeping both uses a free name. */
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

import { type Change, change, type RowWrite } from '../../core/change.ts'
import { categories, type Category } from '../../core/endpoint.ts'
import type { Replication } from './context.ts'
import { actionRow } from './outbox.ts'
import { CategoryUnknown } from './problems.ts'
import { serverLock } from './servers.ts'
import { creationLockPath, switches } from './store.ts'

/** Lists every category, and whether a server repeats its changes. */
export async function listCategories({ queries }: Replication, id: number) {
  await queries.load(id)
  const enabled = new Set(
    (await queries.switchesOf(id)).flatMap(({ category, is_enabled }) =>
      is_enabled === 1 ? [category] : [],
    ),
  )
  return categories.map((category) => ({ category, enabled: enabled.has(category) }))
}

/** Sets whether a server repeats the changes of some categories. */
export async function setCategories(
  on: Replication,
  id: number,
  wanted: Readonly<Record<string, boolean>>,
  request: Now,
): Promise<Change<{ success: true; updated: number }>> {
  const known = Object.entries(wanted).filter(([name]) => isCategory(name)) as [Category, boolean][]
  const { name, rows } = await switched(on, id, known, request)
  return change({
    summary: `Set ${known.length} categories of the replication server ${name}`,
    locks: [serverLock(name)],
    rows,
    reply: { success: true as const, updated: known.length },
  })
}

/** Sets whether a server repeats the changes of one category. */
export async function setCategory(
  on: Replication,
  { id, category }: { readonly id: number; readonly category: string },
  { enabled }: { readonly enabled: boolean },
  request: Now,
) {
  await on.queries.load(id)
  if (!isCategory(category)) throw CategoryUnknown()
  const { name, rows } = await switched(on, id, [[category, enabled]], request)
  return change({
    summary: `${enabled ? 'Enable' : 'Disable'} the category ${category} of the replication server ${name}`,
    locks: [serverLock(name)],
    rows,
    reply: { success: true as const, category, enabled },
  })
}

interface Now {
  readonly now: Date
  readonly id: (table: string) => number
}

const isCategory = (name: string): name is Category => categories.some((known) => known === name)

async function switched(
  { queries, store }: Replication,
  id: number,
  wanted: readonly (readonly [Category, boolean])[],
  { now, id: nextId }: Now,
) {
  const { name } = await queries.load(id)
  const known = new Map((await queries.switchesOf(id)).map((row) => [row.category, row]))
  const rows = wanted.map(([category, is_enabled]): RowWrite => {
    const row = known.get(category)
    return row === undefined
      ? switches.insert(switches.row({ server_id: id, category, is_enabled }))
      : switches.update(row, { is_enabled })
  })
  const websites = wanted.find(([category]) => category === 'websites')
  if (websites === undefined) return { name, rows }
  return { name, rows: [...rows, lockCreation(store, id, websites[1], { now, id: nextId })] }
}

/** A server that gets its websites from here lets nobody but superusers create some of its own. */
function lockCreation(store: Replication['store'], id: number, locked: boolean, { now, id: nextId }: Now) {
  const body = JSON.stringify({ locked })
  const row = actionRow(store, {
    ...{ server_id: id, category: 'websites', method: 'POST', shown: JSON.stringify({ body: { locked } }) },
    sealed: { url: creationLockPath, body, references: [] },
  })
  if (row.write !== 'insert') throw new Error('no insert')
  const values = { ...row.values, id: nextId(row.table), created_at: now.toISOString() }
  return { ...row, values }
}

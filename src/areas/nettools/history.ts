import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock } from '../../core/lock.ts'
import type { Nettools } from './context.ts'
import { type Field, fields } from './model.ts'
import { FieldInvalid, ValueMissing } from './problems.ts'
import { entries } from './store.ts'

const most = 10
const historyLock = lock('nettools_history')

/** Returns what a user typed into a field, the newest first. */
export async function listEntries(on: Nettools, name: string, { caller }: Pick<Deciding, 'caller'>) {
  const rows = await on.queries.entries(caller.user.id, fieldNamed(name))
  return rows.slice(0, most).map(({ value }) => value)
}

/** Puts a value at the top of the history of a field, which has ten at most. */
export async function addEntry(
  on: Nettools,
  name: string,
  typed: string,
  { caller, id }: Pick<Deciding, 'caller' | 'id'>,
): Promise<Change<{ ok: true }>> {
  const field = fieldNamed(name)
  const value = typed.trim()
  if (value === '') throw ValueMissing()
  const user_id = caller.user.id
  const known = await on.queries.entries(user_id, field)
  const others = known.filter((row) => row.value !== value)
  const gone = [...known.filter((row) => row.value === value), ...others.slice(most - 1)]
  return change({
    summary: `Remember an entry of ${field}`,
    locks: [historyLock(String(user_id))],
    rows: [
      ...gone.map((row) => entries.delete({ id: row.id })),
      entries.insert(entries.row({ id: id(entries.name), user_id, field, value })),
    ],
    reply: { ok: true },
  })
}

/** Clears the history of a field. */
export function clearEntries(name: string, { caller }: Pick<Deciding, 'caller'>): Change<{ ok: true }> {
  const field = fieldNamed(name)
  return change({
    summary: `Clear the history of ${field}`,
    locks: [historyLock(String(caller.user.id))],
    rows: [entries.delete({ user_id: caller.user.id, field })],
    reply: { ok: true },
  })
}

function fieldNamed(name: string): Field {
  const field = fields.find((each) => each === name)
  if (field === undefined) throw FieldInvalid()
  return field
}

import { sql } from 'kysely'
import { type ActivityEntry, appendActivity } from '../../src/changes/activity.ts'
import { signNewest } from '../../src/changes/chain-export.ts'
import { changeMigrations } from '../../src/changes/tables.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { type Figure, median } from './figures.ts'

const entriesPerCheckpoint = 1000

const entry: ActivityEntry = {
  action: 'websites_create_website',
  user_id: 7,
  key_id: null,
  ip: '192.0.2.7',
  method: 'POST',
  path: '/api/websites',
  request: JSON.stringify({ body: { domain: 'example.com', type: 'static' } }),
  status: 'ok',
  duration_ms: 12,
  request_id: 'bench-1',
  change_id: 1,
  message: 'Create website example.com',
  created_at: '2026-11-21T00:00:00.000Z',
}

/** The cost of an append to the chain with a million entries (100,000 if short), relative to a thousand. */
export async function measureActivity(isShort: boolean): Promise<readonly Figure[]> {
  const many = isShort ? 100_000 : 1_000_000
  const [few, full] = [await filled(1000), await filled(many)]
  try {
    for (const store of [few, full]) await appends(store, 500)
    const pairs: { readonly few: number; readonly full: number }[] = []
    for (let round = 0; round < (isShort ? 5 : 11); round++)
      pairs.push({ few: await appends(few, 300), full: await appends(full, 300) })
    const value = median(pairs.map((pair) => pair.full / pair.few))
    const micros = median(pairs.map((pair) => pair.full))
    const signing = await signings(few, 500)
    return [
      {
        what: `activity append at ${many.toLocaleString('en')} entries / at 1,000`,
        value,
        unit: 'x',
        bound: 1.5,
        loose: 2,
        detail: `${micros.toFixed(0)} µs an entry`,
      },
      {
        what: 'activity append with its share of a signed checkpoint / without',
        value: 1 + signing / (entriesPerCheckpoint * median(pairs.map((pair) => pair.few))),
        unit: 'x',
        bound: 1.02,
        loose: 1.05,
        detail: `${signing.toFixed(0)} µs a checkpoint, each thousand entries`,
      },
    ]
  } finally {
    await few.close()
    await full.close()
  }
}

/** Microseconds that reading the end of the chain and signing it takes. */
async function signings(store: Store, count: number): Promise<number> {
  const startedAt = performance.now()
  for (let done = 0; done < count; done++) await signNewest(store, new Date(0))
  return ((performance.now() - startedAt) * 1000) / count
}

/** A store in memory, so that the speed of the disk does not hide that of the chain. The entries before are not chained, but as large. */
async function filled(count: number): Promise<Store> {
  const store = await openStore({ migrations: changeMigrations, now: new Date() })
  const { action, ip, method, path, request, message, created_at } = entry
  await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into activity select n, ${action}, n % 100, null, ${ip}, ${method}, ${path}, ${request}, 'ok', 12, 'bench-' || n, n, ${message}, ${created_at}, hex(randomblob(32)), null from numbers`.execute(
    store.db,
  )
  return store
}

/** Microseconds that one append takes, in a transaction of its own. */
async function appends(store: Store, count: number): Promise<number> {
  const startedAt = performance.now()
  for (let done = 0; done < count; done++) await store.transaction((tx) => appendActivity(store, tx, entry))
  return ((performance.now() - startedAt) * 1000) / count
}

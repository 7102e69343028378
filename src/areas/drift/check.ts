import type { RowWrite } from '../../core/change.ts'
import { accountComment } from '../../host/accounts.ts'
import { isAsWritten } from '../../host/apply/stamp.ts'
import { readEntry } from '../../host/passwd.ts'
import type { DriftArea } from './context.ts'
import { compareAll, type Compared, idOf, readOwned } from './differences.ts'
import { knownIn, recordWrites, type Recorded } from './record.ts'
import { readState } from './live.ts'
import { checks, foundDrift } from './store.ts'

/** Compares everything and keeps what differs, for notifications. The first check records what earlier versions of the panel have written. */
export async function checkDrift(on: DriftArea, now: Date): Promise<{ readonly found: number }> {
  await recordEarlier(on)
  const differing = (await compareAll(on)).filter(({ state }) => state !== 'same')
  const writes = [...(await foundWrites(on, differing, now)), ...(await settledServices(on))]
  const { store } = on
  await store.transaction(async (tx) => {
    await store.write(tx, [
      ...writes,
      checks.delete({ slot: 1 }),
      checks.insert(checks.row({ slot: 1, checked_at: now.toISOString() })),
    ])
  })
  return { found: differing.length }
}

/** What was found before keeps its time, and its notification. */
async function foundWrites(
  on: DriftArea,
  differing: readonly Compared[],
  now: Date,
): Promise<readonly RowWrite[]> {
  const before = new Set((await on.queries.found()).map(({ item }) => item))
  const found = new Map(differing.map((each) => [idOf(each), each]))
  const gone = [...before].filter((item) => !found.has(item))
  const fresh = [...found].filter(([item]) => !before.has(item))
  return [
    ...gone.map((item) => foundDrift.delete({ item })),
    ...fresh.map(([item, { kind, name, state }]) =>
      foundDrift.insert(foundDrift.row({ item, kind, name, state, found_at: now.toISOString() })),
    ),
  ]
}

/** After a removal of packages a service may be absent; one that is there by now is wanted as before. */
async function settledServices(on: DriftArea): Promise<readonly RowWrite[]> {
  const writes: RowWrite[] = []
  for (const row of await on.queries.states()) {
    const { state, expected } = knownIn(on.store, row)
    if (row.kind !== 'service' || expected === undefined) continue
    const isGone = (await readState(on, row)) === null
    writes.push(...recordWrites(on.store, row, isGone || state === undefined ? {} : { state }))
  }
  return writes
}

async function recordEarlier(on: DriftArea): Promise<void> {
  if ((await on.queries.checkedAt()) !== undefined) return
  const known = new Set((await on.queries.states()).map(({ kind, name }) => `${kind} ${name}`))
  const writes: RowWrite[] = []
  const record = (recorded: Recorded, state: string) => {
    if (!known.has(`${recorded.kind} ${recorded.name}`))
      writes.push(...recordWrites(on.store, recorded, { state }))
  }
  for (const { path, program, content } of await readOwned(on))
    if (isAsWritten(content)) record({ kind: 'file', name: path, program }, content)
  for (const username of await accountsOfPanel(on)) {
    const account: Recorded = { kind: 'account', name: username, program: '' }
    const state = await readState(on, account)
    if (state !== null) record(account, state)
  }
  const { store } = on
  await store.transaction((tx) => store.write(tx, writes))
}

async function accountsOfPanel({ files }: DriftArea): Promise<readonly string[]> {
  const lines = ((await files.read('/etc/passwd')) ?? '').split('\n')
  return lines.flatMap((line) => {
    const entry = readEntry(line)
    return entry?.comment === accountComment ? [entry.username] : []
  })
}

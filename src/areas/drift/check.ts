import type { RowWrite } from '../../core/change.ts'
import { accountComment } from '../../host/accounts.ts'
import { isAsWritten } from '../../host/apply/stamp.ts'
import { readEntry } from '../../host/passwd.ts'
import type { DriftArea } from './context.ts'
import { compareAll, type Compared, idOf, isSame, readOwned } from './differences.ts'
import { readState } from './live.ts'
import { knownIn, type Known, type Recorded, writeKnown } from './record.ts'
import { rightsOf } from './rights.ts'
import { checks, foundDrift, type RecordedRow, recordingQueries } from './store.ts'

/** Compares everything and keeps what differs, for notifications. The first check records what earlier versions of the panel have written. */
export async function checkDrift(on: DriftArea, now: Date): Promise<{ readonly found: number }> {
  const { queries, store } = on
  if ((await queries.checkedAt()) === undefined) await recordEarlier(on)
  await settleExpected(on)
  await recordRights(on)
  const differing = (await compareAll(on)).filter(({ state }) => state !== 'same')
  const writes = foundWrites(differing, new Set((await queries.found()).map(({ item }) => item)), now)
  await store.transaction((tx) =>
    store.write(tx, [
      ...writes,
      checks.delete({ slot: 1 }),
      checks.insert(checks.row({ slot: 1, checked_at: now.toISOString() })),
    ]),
  )
  return { found: differing.length }
}

/** What was found before keeps its time, and its notification. */
function foundWrites(
  differing: readonly Compared[],
  before: ReadonlySet<string>,
  now: Date,
): readonly RowWrite[] {
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

/** What a write was about to make is wanted if it is there, and what is there in spite of a removed package is no longer expected to be gone. */
async function settleExpected(on: DriftArea): Promise<void> {
  for (const row of await on.queries.states()) {
    const { state, expected, rights } = knownIn(on.store, row)
    if (expected === undefined) continue
    const live = await readState(on, row)
    const former = state === undefined ? {} : { former: state }
    if (isSame(row.kind, expected, live)) {
      const settled = row.kind === 'account' ? live : expected
      await recordUnlessChanged(on, row, { state: settled, ...former, ...(await rightsNow(on, row)) }, row)
    } else if (row.program === '')
      await recordUnlessChanged(on, row, state === undefined ? {} : { state, ...(rights && { rights }) }, row)
  }
}

/** Records the mode and the owner of files that an earlier version of the panel has recorded, as they are. */
async function recordRights(on: DriftArea): Promise<void> {
  for (const row of await on.queries.withoutRights()) {
    const [known, now] = [knownIn(on.store, row), await rightsNow(on, row)]
    // one that is wanted to be absent has none
    if (known.state !== null && now.rights !== undefined)
      await recordUnlessChanged(on, row, { ...known, ...now }, row)
  }
}

async function rightsNow({ files }: DriftArea, { kind, name }: Recorded): Promise<Pick<Known, 'rights'>> {
  const rights = kind === 'file' ? rightsOf(await files.facts(name)) : undefined
  return rights === undefined ? {} : { rights }
}

async function recordEarlier(on: DriftArea): Promise<void> {
  for (const { path, program, content } of (await readOwned(on)).files) {
    if (!isAsWritten(content)) continue
    const file: Recorded = { kind: 'file', name: path, program }
    await recordUnlessChanged(on, file, { state: content, ...(await rightsNow(on, file)) }, undefined)
  }
  for (const name of await accountsOfPanel(on)) {
    const account: Recorded = { kind: 'account', name, program: '' }
    const state = await readState(on, account)
    if (state !== null) await recordUnlessChanged(on, account, { state }, undefined)
  }
}

/** Leaves a row alone that a change of the panel has written since it was read. */
async function recordUnlessChanged(
  { store }: DriftArea,
  object: Recorded,
  known: Known,
  was: RecordedRow | undefined,
): Promise<void> {
  await store.transaction(async (tx) => {
    const row = await recordingQueries(tx).state(object)
    if (row?.state === was?.state && row?.expected === was?.expected)
      await writeKnown({ store, tx }, object, known)
  })
}

async function accountsOfPanel({ files }: DriftArea): Promise<readonly string[]> {
  const lines = ((await files.read('/etc/passwd')) ?? '').split('\n')
  return lines.flatMap((line) => {
    const entry = readEntry(line)
    return entry?.comment === accountComment ? [entry.username] : []
  })
}

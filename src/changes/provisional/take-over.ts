import { storedLocks } from '../../core/lock.ts'
import { settlePrograms } from '../programs.ts'
import type { ChangeRow } from '../tables.ts'
import { type StepKinds, unpackWork } from '../work.ts'
import { clockName, silence } from './clock.ts'
import type { ProvisionalParts } from './index.ts'
import { type Awaiting, type EndedBy, endings, type WaitingChanges } from './waiting.ts'

interface TakingOver extends ProvisionalParts {
  readonly waiting: WaitingChanges
  readonly releaseOf: (changeId: number, names: readonly string[], release: () => void) => Awaiting['release']
}

/**
 * Takes over the changes that a killed or stopped panel left. Their locks are held again when it returns; they
 * go on waiting, or are ended in the background.
 */
export async function takeOverProvisional(parts: TakingOver, kinds: StepKinds): Promise<void> {
  const rows = await parts.store.db
    .selectFrom('changes')
    .selectAll()
    .where('state', 'in', ['intended', 'provisional'])
    .where('confirm_until', 'is not', null)
    .execute()
  await forgetOthers(parts, rows)
  for (const row of rows) await takeOver(parts, kinds, row)
}

/** Ends the clocks of changes that were not stored before the kill, or were settled. */
async function forgetOthers({ clocks }: TakingOver, rows: readonly ChangeRow[]): Promise<void> {
  const known = new Set(rows.map(({ id }) => clockName(id)))
  for (const name of await clocks.names()) {
    if (!/^change-\d+$/.test(name) || known.has(name)) continue
    await silence(clocks, name)
    await clocks.remove(name)
  }
}

async function takeOver(parts: TakingOver, kinds: StepKinds, row: ChangeRow): Promise<void> {
  const { locks, clocks, waiting, releaseOf } = parts
  const { id: changeId } = row
  const names = storedLocks(row.locks)
  const free = await locks.acquire(names, waiting.stop)
  const change: Awaiting = {
    changeId,
    deadline: new Date(row.confirm_until ?? 0),
    kinds,
    actedAt: performance.now(),
    release: releaseOf(changeId, names, free),
  }
  const state = await clocks.state(clockName(changeId))
  if (row.state === 'intended') waiting.inBackground(changeId, undoActing(parts, change, row))
  else if (isEnded(state)) waiting.inBackground(changeId, waiting.finish(change, endings[state]))
  else waiting.add(change)
}

const isEnded = (state: string | undefined): state is EndedBy =>
  state === 'confirmed' || state === 'cancelled'

/** Nobody has been told to confirm a change that was cut off while it acted. */
async function undoActing(
  { store, clocks, programs, waiting }: TakingOver,
  change: Awaiting,
  row: ChangeRow,
): Promise<void> {
  const work = unpackWork(store, row.work ?? '')
  const cut = { changeId: row.id, work, carrier: undefined }
  await settlePrograms({ ...(programs && { programs }) }, change.kinds, cut)
  await silence(clocks, clockName(row.id))
  await waiting.finish(change, { outcome: 'restored', message: 'cut off by a restart of the panel' })
}

import type { RowWrite } from '../../core/change.ts'
import type { Log } from '../../core/log.ts'
import type { AccountSet, HostObserver, Writing } from '../../host/observed.ts'
import type { ServiceVerb } from '../../host/services/driver.ts'
import type { Tx } from '../../store/database.ts'
import { isDiskProblem } from '../../store/disk-failures.ts'
import type { Store } from '../../store/store.ts'
import { keyOf } from '../snapshots/index.ts'
import { type Facts, serviceFacts, shownExpiry, withFacts } from './facts.ts'
import { type RecordedRow, recordedStates } from './store.ts'

/** The text of a state; null stands for absent. */
export type Content = string | null

/** What the panel records of an object. */
export interface Known {
  readonly state?: Content
  readonly expected?: Content
}

/** An object whose state is recorded. */
export type Recorded = Pick<RecordedRow, 'kind' | 'name' | 'program'>

type Sealing = Pick<Store, 'seal' | 'unseal'>

/** Returns what a row records. */
export function knownIn({ unseal }: Sealing, { state, expected }: Omit<RecordedRow, keyof Recorded>): Known {
  const open = (sealed: string): Content => JSON.parse(unseal(sealed))
  return {
    ...(state !== null && { state: open(state) }),
    ...(expected !== null && { expected: open(expected) }),
  }
}

/** Returns the writes that record what is known of an object, in place of what was. */
export function recordWrites(
  { seal }: Pick<Store, 'seal'>,
  { kind, name, program }: Recorded,
  { state, expected }: Known,
): readonly RowWrite[] {
  const forget = recordedStates.delete({ kind, name })
  if (state === undefined && expected === undefined) return [forget]
  const sealed = (content: Content | undefined) =>
    content === undefined ? null : seal(JSON.stringify(content))
  const row = recordedStates.row({
    kind,
    name,
    program,
    state: sealed(state),
    expected: sealed(expected),
    recorded_at: new Date().toISOString(),
  })
  return [forget, recordedStates.insert(row)]
}

interface RecorderParts {
  readonly store: Pick<Store, 'transaction' | 'write' | 'seal' | 'unseal'>
  readonly log: Log
}

/** Opens the observer that records what the panel writes: before a write of files what it is about to be, and afterwards what is wanted. */
export function openRecorder(parts: RecorderParts): HostObserver {
  const { store } = parts
  const record = (recorded: readonly Recorded[], next: (known: Known, index: number) => Known) =>
    kept(parts, async (tx) => {
      for (const [index, each] of recorded.entries()) {
        const row = await rowOf(tx, each)
        const known = next(row === undefined ? {} : knownIn(store, row), index)
        await store.write(tx, recordWrites(store, each, known))
      }
    })
  return {
    writing: async (writings, write) => {
      const recorded = writings.map(recordedOf)
      await record(recorded, (known, index) => withExpected(known, writings[index]?.expected))
      const result = await write().catch(async (error: unknown) => {
        await record(recorded, (known) => withExpected(known, undefined))
        throw error
      })
      await record(recorded, ({ state }, index) => wantedAfter(writings[index], state))
      return result
    },
    switched: async (name, verb) => {
      const facts = factsOf(verb)
      if (facts !== undefined)
        await record([service(name)], ({ state }) => ({ state: withFacts(state, facts) }))
    },
    accountSet: (name, set) =>
      record([account(name)], ({ state }) => ({ state: set && withFacts(state, accountFacts(set)) })),
    packagesRemoved: () => kept(parts, (tx) => expectNoServices(parts, tx)),
  }
}

/** A disk that refuses the record must not fail, or keep from being undone, what is recorded. */
async function kept({ store, log }: RecorderParts, work: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await store.transaction(work)
  } catch (error) {
    if (!isDiskProblem(error)) throw error
    log.warn({ err: error }, 'what the panel changed was not recorded, and is shown as drift')
  }
}

const service = (name: string): Recorded => ({ kind: 'service', name, program: '' })
const account = (name: string): Recorded => ({ kind: 'account', name, program: '' })

const rowOf = (tx: Tx, { kind, name }: Recorded): Promise<RecordedRow | undefined> =>
  tx
    .selectFrom('drift_states')
    .selectAll()
    .where('kind', '=', kind)
    .where('name', '=', name)
    .executeTakeFirst()

const recordedOf = ({ tool, path }: Writing): Recorded => ({
  kind: 'file',
  name: path,
  program: keyOf({ program: tool }),
})

const withExpected = ({ state }: Known, expected: Content | undefined): Known => ({
  ...(state !== undefined && { state }),
  ...(expected !== undefined && { expected }),
})

const wantedAfter = (writing: Writing | undefined, before: Content | undefined): Known =>
  writing === undefined ? withExpected({}, before) : { state: writing.wantedFrom(before) }

function factsOf(verb: ServiceVerb): Facts | undefined {
  const { running = '', 'starts at boot': starts = '' } = serviceFacts(verb !== 'stop', verb !== 'disable')
  if (verb === 'enable' || verb === 'disable') return { 'starts at boot': starts }
  return verb === 'reload' ? undefined : { running }
}

const accountFacts = ({ uid, home, shell, expires }: AccountSet): Facts => ({
  ...(uid !== undefined && { uid: String(uid) }),
  ...(home !== undefined && { home }),
  shell,
  expires: shownExpiry(expires),
})

/** A service of a removed package is gone, or another package has it. */
async function expectNoServices({ store }: RecorderParts, tx: Tx): Promise<void> {
  const rows = await tx.selectFrom('drift_states').selectAll().where('kind', '=', 'service').execute()
  for (const row of rows)
    await store.write(tx, recordWrites(store, row, withExpected(knownIn(store, row), null)))
}

import type { Log } from '../../core/log.ts'
import type { AccountSet, HostObserver, Writing } from '../../host/observed.ts'
import type { ServiceVerb } from '../../host/services/driver.ts'
import type { Tx } from '../../store/database.ts'
import { isDiskProblem } from '../../store/disk-failures.ts'
import type { Store } from '../../store/store.ts'
import { keyOf } from '../snapshots/index.ts'
import { type Facts, serviceFacts, shownExpiry, withFacts } from './facts.ts'
import { type Content, knownIn, type Known, readRow, type Recorded, writeKnown } from './record.ts'
import { wholeFileAt } from './whole-files.ts'

interface RecorderParts {
  readonly store: Pick<Store, 'transaction' | 'write' | 'seal' | 'unseal'>
  readonly log: Log
}

/**
 * Opens the observer that records what the panel writes: before a write of files what it is about to make of them, and
 * afterwards what is wanted.
 */
export function openRecorder(parts: RecorderParts): HostObserver {
  const { store } = parts
  const record = (objects: readonly Recorded[], next: (known: Known, index: number) => Known) =>
    keep(parts, async (tx) => {
      for (const [index, object] of objects.entries()) {
        const row = await readRow(tx, object)
        const known = row === undefined ? {} : knownIn(store, row)
        await writeKnown({ store, tx }, object, next(known, index))
      }
    })
  return {
    writing: async (writings, write) => {
      const objects = writings.map(fileOf)
      await record(objects, (known, index) => withExpected(known, writings[index]?.expected))
      const result = await write().catch(async (error: unknown) => {
        await record(objects, (known) => withExpected(known, undefined))
        throw error
      })
      await record(objects, (known, index) => afterwards(writings[index], known))
      return result
    },
    written: async (path, content) => {
      if (wholeFileAt(path) === undefined) return
      const state = content instanceof Uint8Array ? Buffer.from(content).toString('utf8') : content
      await record([{ kind: 'file', name: path, program: '' }], () => ({ state }))
    },
    switched: async (name, verb) => {
      const facts = factsOf(verb)
      const object: Recorded = { kind: 'service', name, program: '' }
      if (facts !== undefined) await record([object], ({ state }) => ({ state: withFacts(state, facts) }))
    },
    accountSet: (name, set) => {
      const object: Recorded = { kind: 'account', name, program: '' }
      const facts = set && accountFacts(set)
      return record([object], ({ state }) => ({ state: facts && withFacts(state, facts) }))
    },
    packagesRemoved: () => keep(parts, (tx) => expectNothing(parts, tx)),
  }
}

/** A disk that refuses the record must not fail, or keep from being undone, what is recorded. */
async function keep({ store, log }: RecorderParts, work: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await store.transaction(work)
  } catch (error) {
    if (!isDiskProblem(error)) throw error
    log.warn({ err: error }, 'a change of the panel was not recorded, and is listed as drift')
  }
}

const fileOf = ({ tool, path }: Writing): Recorded => ({
  kind: 'file',
  name: path,
  program: keyOf({ program: tool }),
})

const withExpected = ({ expected: _earlier, ...known }: Known, expected: Content | undefined): Known => ({
  ...known,
  ...(expected !== undefined && { expected }),
})

const afterwards = (writing: Writing | undefined, { state, former }: Known): Known => ({
  ...(writing && { state: writing.wantedFrom(state, former) }),
  ...(state !== undefined && { former: state }),
})

function factsOf(verb: ServiceVerb): Facts | undefined {
  const facts = serviceFacts(verb !== 'stop', verb !== 'disable')
  const chosen = verb === 'enable' || verb === 'disable' ? 'starts at boot' : 'running'
  return verb === 'reload' ? undefined : { [chosen]: facts[chosen] }
}

const accountFacts = ({ uid, home, shell, expires }: AccountSet): Facts => ({
  ...(uid !== undefined && { uid: String(uid) }),
  ...(home !== undefined && { home }),
  shell,
  expires: shownExpiry(expires),
})

/** The services and the files of a removed package are gone, or another package has them. */
async function expectNothing({ store }: RecorderParts, tx: Tx): Promise<void> {
  const rows = await tx
    .selectFrom('drift_states')
    .selectAll()
    .where('program', '=', '')
    .where('kind', '!=', 'account')
    .execute()
  for (const row of rows) await writeKnown({ store, tx }, row, withExpected(knownIn(store, row), null))
}

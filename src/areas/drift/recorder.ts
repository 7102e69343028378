import type { Log } from '../../core/log.ts'
import type { Files } from '../../host/files.ts'
import type { AccountSet, HostObserver, Writing } from '../../host/observed.ts'
import type { ServiceVerb } from '../../host/services/driver.ts'
import type { Tx } from '../../store/database.ts'
import { isDiskProblem } from '../../store/disk-failures.ts'
import type { Store } from '../../store/store.ts'
import { keyOf } from '../snapshots/index.ts'
import { type Facts, serviceFacts, shownExpiry, withFacts } from './facts.ts'
import { type Content, knownIn, type Known, type Recorded, writeKnown } from './record.ts'
import { rightsAfter, rightsOf } from './rights.ts'
import { recordingQueries } from './store.ts'
import { wholeFileAt } from './whole-files.ts'

interface RecorderParts {
  readonly store: Pick<Store, 'transaction' | 'write' | 'seal' | 'unseal'>
  readonly files: Pick<Files, 'facts'>
  readonly log: Log
}

/** What is recorded of objects around a work on them. */
interface Marks<Result> {
  /** What the work is about to make of an object, before it begins; undefined if that is unknown. */
  readonly expected: (known: Known, index: number) => Content | undefined
  /** What is known of the object afterwards. */
  readonly after: (known: Known, index: number, result: Result) => Known
}

/**
 * Opens the observer that records what the panel does: before a work what it is about to make of an object, and afterwards
 * what is wanted.
 */
export function openRecorder(parts: RecorderParts): HostObserver {
  return {
    writing: (writings, write) =>
      around(parts, writings.map(fileOf), write, {
        expected: (_known, index) => writings[index]?.expected,
        after: (known, index) => afterwards(writings[index], known),
      }),
    replacing: (path, content, write) => {
      if (wholeFileAt(path) === undefined) return write()
      const state = content instanceof Uint8Array ? Buffer.from(content).toString('utf8') : content
      const marks = { expected: () => state, after: () => ({ state }) }
      return around(parts, [{ kind: 'file', name: path, program: '' }], write, marks)
    },
    switching: (name, verb, act) => {
      const facts = factsOf(verb)
      if (facts === undefined) return act()
      return around(parts, [{ kind: 'service', name, program: '' }], act, {
        expected: ({ state }) => withFacts(state, facts),
        after: ({ state }) => ({ state: withFacts(state, facts) }),
      })
    },
    settingAccount: (name, set, work) => {
      const stateOf = ({ state }: Known, made: AccountSet | null) =>
        made && withFacts(state, accountFacts(made))
      return around(parts, [{ kind: 'account', name, program: '' }], work, {
        expected: (known) => stateOf(known, set()),
        after: (known, _index, result) => ({ state: stateOf(known, set(result)) }),
      })
    },
    removingPackages: async (remove) => {
      const record = () => keep(parts, (tx) => expectNothing(parts, tx))
      await record()
      await remove()
      await record() // a check may have found the services meanwhile
    },
  }
}

async function around<Result>(
  parts: RecorderParts,
  objects: readonly Recorded[],
  work: () => Promise<Result>,
  { expected, after }: Marks<Result>,
): Promise<Result> {
  const before = await readRights(parts, objects)
  await record(parts, objects, (known, index) => withExpected(known, expected(known, index)))
  const result = await work().catch(async (error: unknown) => {
    await record(parts, objects, (known) => withExpected(known, undefined))
    throw error
  })
  const left = await readRights(parts, objects)
  await record(parts, objects, (known, index) => {
    const rights = rightsAfter(known.rights, { before: before[index], after: left[index] })
    return { ...after(known, index, result), ...(rights !== undefined && { rights }) }
  })
  return result
}

/** The rights of those objects that are files. */
function readRights({ files }: RecorderParts, objects: readonly Recorded[]) {
  return Promise.all(
    objects.map(async ({ kind, name }) => (kind === 'file' ? rightsOf(await files.facts(name)) : undefined)),
  )
}

function record(
  parts: RecorderParts,
  objects: readonly Recorded[],
  next: (known: Known, index: number) => Known,
): Promise<void> {
  const { store } = parts
  return keep(parts, async (tx) => {
    for (const [index, object] of objects.entries()) {
      const row = await recordingQueries(tx).state(object)
      const known = row === undefined ? {} : knownIn(store, row)
      await writeKnown({ store, tx }, object, next(known, index))
    }
  })
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
  ...(writing && { state: writing.wantedFrom(textOrNone(state), textOrNone(former)) }),
  ...(state !== undefined && { former: state }),
})

/** What the panel has no copy of is unknown to a write. */
const textOrNone = (content: Content | undefined): string | null | undefined =>
  typeof content === 'object' && content !== null ? undefined : content

function factsOf(verb: ServiceVerb): Facts | undefined {
  const facts = serviceFacts(verb !== 'stop', verb !== 'disable')
  const chosen = verb === 'enable' || verb === 'disable' ? 'starts at boot' : 'running'
  return verb === 'reload' ? undefined : { [chosen]: facts[chosen] }
}

const accountFacts = ({ uid, home, shell, expires }: AccountSet): Facts => ({
  ...(uid !== undefined && { uid: String(uid) }),
  ...(home !== undefined && { home }),
  ...(shell !== undefined && { shell }),
  expires: shownExpiry(expires),
})

/** The services and the files of a removed package are gone, or another package has them. */
async function expectNothing({ store }: RecorderParts, tx: Tx): Promise<void> {
  for (const row of await recordingQueries(tx).statesOfPackages())
    await writeKnown({ store, tx }, row, withExpected(knownIn(store, row), null))
}

import { isSame as isSameState } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import { digestOf } from '../../host/files.ts'
import { programOf, readLarge, readManaged } from '../snapshots/index.ts'
import { factsAsIn, factsIn } from './facts.ts'
import { type LiveParts, readState } from './live.ts'
import { type DriftItem, type DriftState, mostDiff } from './model.ts'
import { type Content, knownIn, type Known, type Recorded, type Sealing } from './record.ts'
import { isOpened, type Names, rightsOf, shownRights } from './rights.ts'
import type { DriftQueries, RecordedRow } from './store.ts'
import { wholeFileAt } from './whole-files.ts'

export interface CompareParts extends LiveParts {
  readonly store: Sealing
  readonly queries: DriftQueries
}

/** An object, as it is wanted and as it is. */
export interface Compared extends Recorded {
  /** When its wanted state was recorded; undefined if none is. */
  readonly recordedAt: string | undefined
  readonly state: DriftState
  readonly wanted: Content
  readonly live: Content
  /** The mode and owner of a file, where they are known. */
  readonly rights: Rights
}

interface Rights {
  readonly wanted?: string
  readonly live?: string
}

/** Compares every recorded object with its present state, and finds files that the panel never wrote. */
export async function compareAll(on: CompareParts): Promise<readonly Compared[]> {
  const rows = await on.queries.states()
  const compared: Compared[] = []
  for (const row of rows) compared.push(await compare(on, row))
  return [...compared, ...(await findForeign(on, rows))]
}

async function compare(on: CompareParts, row: RecordedRow): Promise<Compared> {
  const { kind, name, program } = row
  const known = knownIn(on.store, row)
  const found = await readState(on, row)
  const wanted = wantedOf(known, kind, found)
  const live = kind === 'file' || found === null || wanted === null ? found : factsAsIn(found, wanted)
  const rights = kind === 'file' ? await compareRights(on, row, known) : {}
  const state = stateOf(kind, wanted, live)
  return {
    ...{ kind, name, program, wanted, live, rights },
    recordedAt: row.recorded_at,
    state: state === 'same' && areOther(rights) ? 'edited' : state,
  }
}

/** While a write runs, no rights are wanted: it may be about to set others. */
async function compareRights(
  { files }: Pick<LiveParts, 'files'>,
  { name }: RecordedRow,
  { rights, expected }: Known,
): Promise<Rights> {
  const live = rightsOf(await files.facts(name))
  return {
    ...(rights !== undefined && expected === undefined && { wanted: rights }),
    ...(live !== undefined && { live }),
  }
}

/** True if a file has another mode or owner than is wanted. */
const areOther = ({ wanted, live }: Rights): boolean =>
  wanted !== undefined && live !== undefined && wanted !== live

/** While a write runs, or after one that was broken off, what it was about to make is as good as what was there. */
function wantedOf({ state, expected }: Known, kind: Recorded['kind'], live: Content): Content {
  if (expected !== undefined && isSame(kind, expected, live)) return expected
  if (state !== undefined) return state
  // a service or an account that the panel was about to change for the first time
  return kind === 'file' ? (expected ?? null) : live
}

/** True if an object is as it is wanted. */
export function isSame(kind: Recorded['kind'], wanted: Content, live: Content): boolean {
  // a service that is gone neither runs nor starts at boot
  if (kind === 'service' && live === null && wanted !== null)
    return !Object.values(factsIn(wanted)).includes('yes')
  if (wanted === null || live === null || kind === 'file') return isSameState(wanted, live)
  const facts = factsIn(live)
  return Object.entries(factsIn(wanted)).every(([name, value]) => facts[name] === value)
}

function stateOf(kind: Recorded['kind'], wanted: Content, live: Content): DriftState {
  if (isSame(kind, wanted, live)) return 'same'
  if (live === null) return 'missing'
  return wanted === null ? 'unexpected' : 'edited'
}

/** Files that name the panel as their author and that no change of it wrote, such as the copy of a website's file. */
async function findForeign(on: CompareParts, rows: readonly RecordedRow[]): Promise<readonly Compared[]> {
  if ((await on.queries.checkedAt()) === undefined) return [] // those of an earlier version are not recorded yet
  const recorded = new Set(rows.filter(({ kind }) => kind === 'file').map(({ name }) => name))
  const { files, large } = await readOwned(on)
  const unknown = <File extends { readonly path: string }>(all: readonly File[]) =>
    all.filter(({ path }) => !recorded.has(path))
  const contents = unknown(large).map(async (file) => ({
    ...file,
    content: await readLarge(on.files, file.path, file.sizeBytes),
  }))
  return Promise.all(
    [...unknown(files), ...(await Promise.all(contents))].map(
      async ({ path, program, content }): Promise<Compared> => {
        const live = rightsOf(await on.files.facts(path))
        return {
          ...{ kind: 'file', name: path, program, state: 'unexpected', wanted: null, live: content },
          recordedAt: undefined,
          rights: live === undefined ? {} : { live },
        }
      },
    ),
  )
}

/** Reads the files of the host that name the panel as their author. */
export async function readOwned(on: LiveParts) {
  const { files, large } = await readManaged(on)
  const isOwned = ({ program }: { readonly program: string }) =>
    programOf(on, program)?.program.kind === 'owned'
  return { files: files.filter(isOwned), large: large.filter(isOwned) }
}

/** The id of a difference. A further edit has another one, so that nobody settles what they have not seen. */
export const idOf = ({ kind, name, wanted, live, rights }: Compared): string => {
  const seen = [name, wanted, live, ...(areOther(rights) ? [rights.wanted, rights.live] : [])]
  return `${kind}-${digestOf(JSON.stringify(seen)).slice(0, 24)}`
}

/** Shows an object without the secrets of its file. */
export function showCompared(on: LiveParts, compared: Compared, names: Names): DriftItem {
  const { kind, name, program, state, rights } = compared
  const loader = loaderOf(on, compared)
  return {
    id: idOf(compared),
    kind,
    name,
    program: kind === 'file' ? (loader?.name ?? program).slice(0, 200) : null,
    state,
    diff: kind === 'file' && loader === undefined ? notShown : diffOf(compared, loader?.mask),
    rights: areOther(rights)
      ? { wanted: shownRights(rights.wanted ?? '', names), present: shownRights(rights.live ?? '', names) }
      : null,
    adopt_refusal: adoptRefusal(compared) ?? null,
    revert_refusal: revertRefusal(on, compared) ?? null,
  }
}

const notShown = 'The lines are not shown: the panel does not know which of them are secrets any more.\n'

/** The program that loads a file, and how the text of the file is shown. */
function loaderOf(on: LiveParts, { name, program }: Compared) {
  const managed = programOf(on, program)
  if (managed === undefined) {
    const whole = wholeFileAt(name)
    return whole && { name: whole.program, mask: whole.mask }
  }
  return { name: managed.program.name, mask: managed.mask }
}

function diffOf({ name, wanted, live }: Compared, mask: (text: string) => string = (text) => text): string {
  if (isLarge(wanted) || isLarge(live))
    return isSameState(wanted, live)
      ? ''
      : `The file is too large to compare its lines.\n-${describe(wanted)}\n+${describe(live)}\n`
  const shown = (content: Content) => (typeof content === 'string' ? mask(content) : undefined)
  const diff = unifiedDiff(name, shown(wanted), shown(live))
  return diff.length <= mostDiff ? diff : `${diff.slice(0, mostDiff - 40)}\n(the rest is left out)\n`
}

function describe(content: Content): string {
  if (content === null) return 'absent'
  return typeof content === 'string'
    ? 'a smaller file'
    : `${content.size_bytes} bytes, sha256 ${content.sha256}`
}

/** Returns why a difference cannot become the wanted state; undefined if it can. */
export function adoptRefusal({ state, rights }: Compared): string | undefined {
  const isNew = state === 'unexpected' || areOther(rights)
  if (state === 'same' || !isNew || rights.live === undefined || !isOpened(rights.live, rights.wanted))
    return undefined
  return 'others than root could write to it: revert it, or change its owner and mode first'
}

/** Returns why the panel cannot revert a difference; undefined if it can. */
export function revertRefusal(on: LiveParts, compared: Compared): string | undefined {
  const { kind, wanted, live } = compared
  if (compared.state === 'same') return 'it is as it should be'
  if (kind === 'file') return refusalOfFile(on, compared)
  if (live === null && wanted !== null)
    return kind === 'service' ? 'the program is not installed any more: install it' : missingAccount(wanted)
  if (wanted === null || live === null) return 'the panel does not remove what others have made'
  const [want, have] = [factsIn(wanted), factsIn(live)]
  const moved = ['uid', 'home'].find((fact) => want[fact] !== have[fact])
  return kind === 'account' && moved !== undefined
    ? `its files would not follow it: set its ${moved} to ${want[moved]} with usermod`
    : undefined
}

function refusalOfFile(on: LiveParts, { name, program, wanted, live }: Compared): string | undefined {
  if (isSameState(wanted, live)) return undefined // only its mode or owner is another
  if (isLarge(wanted)) return 'the panel has no copy of it, as it is larger than 16 MiB'
  if (isLarge(live)) return 'it is larger than 16 MiB: move it away, then revert it'
  const managed = programOf(on, program)
  if (managed === undefined) return 'the panel loads it only with its settings: save these again'
  if (managed.program.kind === 'edited' && wanted === null) return `the panel does not remove ${name}`
  return undefined
}

const isLarge = (content: Content): boolean => typeof content === 'object' && content !== null

function missingAccount(wanted: Content): string {
  const { uid = '', home = '' } = factsIn(wanted)
  return `create it again with useradd, the uid ${uid} and the home ${home}, or delete its user`
}

import { type Change, change, type RowWrite, type Step, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { readNames } from '../../host/passwd.ts'
import type { ServiceVerb } from '../../host/services/driver.ts'
import type { DriftArea } from './context.ts'
import {
  adoptRefusal,
  compareAll,
  type Compared,
  idOf,
  isSame,
  revertRefusal,
  showCompared,
} from './differences.ts'
import { expiryIn, type Facts, factsIn } from './facts.ts'
import type { DriftQuery, DriftReport, DriftSettled } from './model.ts'
import { DriftGone, NotAdoptable, NotRevertible } from './problems.ts'
import { adoption } from './record.ts'
import { groupNamesIn } from './rights.ts'
import { foundDrift, recordedStates } from './store.ts'

const driftLock = singleLock('drift')

/** Compares what the panel manages with the host, and lists what differs, or what is in the asked state. */
export async function reportDrift(on: DriftArea, { state }: DriftQuery): Promise<DriftReport> {
  const compared = await compareAll(on)
  const counts = { same: 0, edited: 0, missing: 0, unexpected: 0 }
  for (const each of compared) counts[each.state] += 1
  const names = {
    users: await readNames(on.files),
    groups: groupNamesIn((await on.files.read('/etc/group')) ?? ''),
  }
  const isShown = (each: Compared) => (state === undefined ? each.state !== 'same' : each.state === state)
  return {
    checked_at: (await on.queries.checkedAt()) ?? null,
    counts,
    items: compared
      .filter(isShown)
      .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
      .map((each) => showCompared(on, each, names)),
  }
}

const placeOf = ({ kind, name }: Compared): string => `${kind} ${name}`

/** Makes the present state of an object the wanted one. The host stays as it is. */
export async function adoptDrift(on: DriftArea, id: string, now: Date): Promise<Change<DriftSettled>> {
  const compared = await findDifference(on, id)
  const refusal = adoptRefusal(compared)
  if (refusal !== undefined) throw NotAdoptable(`id: ${titleOf(compared)} cannot be adopted: ${refusal}`)
  const { kind, name, live, rights, recordedAt } = compared
  const adopting = { object: compared, state: live, rights: rights.live, recordedAt, now }
  return change({
    summary: `Adopt ${titleOf(compared)} as it is`,
    locks: [driftLock],
    rows: [adoption(on.store, adopting), foundDrift.delete({ item: id })],
    details: [
      live === null
        ? `From now on ${titleOf(compared)} is wanted to be absent`
        : `From now on ${titleOf(compared)} is compared with its present state`,
    ],
    reply: { kind, name },
  })
}

/** Makes an object on the host as the panel wants it. */
export async function revertDrift(on: DriftArea, id: string): Promise<Change<DriftSettled>> {
  const compared = await findDifference(on, id)
  const refusal = revertRefusal(on, compared)
  if (refusal !== undefined) throw NotRevertible(`id: ${titleOf(compared)} cannot be reverted: ${refusal}`)
  const { kind, name } = compared
  if (kind === 'file' && (await on.files.facts(name))?.kind === 'directory')
    throw NotRevertible(`id: ${name} cannot be reverted: a directory is in its place: move it away first`)
  return change({
    summary: `Revert ${titleOf(compared)}`,
    locks: [driftLock],
    steps: await stepsTo(on, compared),
    rows: [foundDrift.delete({ item: id }), ...rightsOfRestored(compared)],
    reply: { kind, name },
  })
}

/** A file that was removed is written as a new one, whose rights are recorded until then. */
function rightsOfRestored({ kind, name, live, rights }: Compared): readonly RowWrite[] {
  return kind === 'file' && live === null && rights.wanted !== undefined
    ? [recordedStates.updateWhere({ kind, name }, { rights: rights.wanted })]
    : []
}

const titleOf = ({ kind, name }: Compared): string => (kind === 'file' ? name : `the ${kind} ${name}`)

async function findDifference(on: DriftArea, id: string): Promise<Compared> {
  const found = (await compareAll(on)).find((each) => each.state !== 'same' && idOf(each) === id)
  if (found === undefined)
    throw DriftGone(`id: there is no difference ${id}: it was settled, or edited again since: read the list`)
  return found
}

async function stepsTo(on: DriftArea, compared: Compared): Promise<readonly Step[]> {
  const { kind, name, wanted, live } = compared
  if (kind === 'file') return stepsToFile(on, compared)
  const [want, have] = [factsIn(wanted), factsIn(live)]
  if (kind === 'service') return Promise.all(verbsTo(want, have).map((verb) => switchTo(on, name, verb)))
  const { shell = '', expires = 'never' } = want
  return [step(on.setAccess, { username: name, shell, expires: expiryIn(expires) })]
}

/** A file that was removed has the rights of a new one once it is back. */
function stepsToFile(on: DriftArea, { name, program, wanted, live, rights }: Compared): readonly Step[] {
  const content = typeof wanted === 'object' ? null : wanted
  const isRestored = wanted !== null && rights.wanted !== undefined && rights.live !== rights.wanted
  return [
    ...(isSame('file', wanted, live) ? [] : [step(on.restoreFiles, { program, files: { [name]: content } })]),
    ...(isRestored ? [step(on.setRights, { path: name, rights: rights.wanted })] : []),
  ]
}

function verbsTo(want: Facts, have: Facts): readonly ServiceVerb[] {
  const differs = (fact: string) => want[fact] !== undefined && want[fact] !== have[fact]
  const [isRunning, starts] = [want['running'] === 'yes', want['starts at boot'] === 'yes']
  const verbs: ServiceVerb[] = []
  if (differs('starts at boot')) verbs.push(starts ? 'enable' : 'disable')
  if (differs('running')) verbs.push(isRunning ? 'start' : 'stop')
  return verbs
}

async function switchTo(on: DriftArea, name: string, verb: ServiceVerb): Promise<Step> {
  const { stopped, triggers } =
    verb === 'stop' ? await on.services.dependents(name) : { stopped: [], triggers: [] }
  return step(on.switchService, { name, verb, stopped, triggers })
}

import { type Change, change, type Step, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import type { ServiceVerb } from '../../host/services/driver.ts'
import type { DriftArea } from './context.ts'
import { compareAll, type Compared, idOf, revertRefusal, showCompared } from './differences.ts'
import { expiryIn, type Facts, factsIn } from './facts.ts'
import type { DriftQuery, DriftReport, DriftSettled } from './model.ts'
import { DriftGone, NotRevertible } from './problems.ts'
import { adoption } from './record.ts'
import { foundDrift } from './store.ts'

const driftLock = singleLock('drift')

/** Compares what the panel manages with the host, and lists what differs, or what is in the asked state. */
export async function reportDrift(on: DriftArea, { state }: DriftQuery): Promise<DriftReport> {
  const compared = await compareAll(on)
  const counts = { same: 0, edited: 0, missing: 0, unexpected: 0 }
  for (const each of compared) counts[each.state] += 1
  const isShown = (each: Compared) => (state === undefined ? each.state !== 'same' : each.state === state)
  return {
    checked_at: (await on.queries.checkedAt()) ?? null,
    counts,
    items: compared
      .filter(isShown)
      .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
      .map((each) => showCompared(on, each)),
  }
}

const placeOf = ({ kind, name }: Compared): string => `${kind} ${name}`

/** Makes the present state of an object the wanted one. The host stays as it is. */
export async function adoptDrift(on: DriftArea, id: string, now: Date): Promise<Change<DriftSettled>> {
  const compared = await findDifference(on, id)
  const { kind, name, live, recordedAt } = compared
  const adopting = { object: compared, state: live, recordedAt, now }
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
  return change({
    summary: `Revert ${titleOf(compared)}`,
    locks: [driftLock],
    steps: await stepsTo(on, compared),
    rows: [foundDrift.delete({ item: id })],
    reply: { kind, name },
  })
}

const titleOf = ({ kind, name }: Compared): string => (kind === 'file' ? name : `the ${kind} ${name}`)

async function findDifference(on: DriftArea, id: string): Promise<Compared> {
  const found = (await compareAll(on)).find((each) => each.state !== 'same' && idOf(each) === id)
  if (found === undefined)
    throw DriftGone(`id: there is no difference ${id}: it was settled, or edited again since: read the list`)
  return found
}

async function stepsTo(
  on: DriftArea,
  { kind, name, program, wanted, live }: Compared,
): Promise<readonly Step[]> {
  if (kind === 'file') return [step(on.restoreFiles, { program, files: { [name]: wanted } })]
  const [want, have] = [factsIn(wanted ?? ''), factsIn(live ?? '')]
  if (kind === 'service') return Promise.all(verbsTo(want, have).map((verb) => switchTo(on, name, verb)))
  const { shell = '', expires = 'never' } = want
  return [step(on.setAccess, { username: name, shell, expires: expiryIn(expires) })]
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

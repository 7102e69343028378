import type { Changed, StepKind } from '../../core/change.ts'
import { isSame, stateStep, type Was } from '../../core/steps.ts'
import { type PowerdnsApi, zonePath } from './api.ts'
import { replacements, type SetStates, shownSet, sorted, stateOf } from './record-states.ts'
import { keyOf, readSets, type RecordSet } from './zones.ts'

interface RecordsArgs {
  readonly zone: string
  /** The wanted sets; one without records is removed. */
  readonly sets: readonly RecordSet[]
}

/** The sets that a plan shows one by one. */
const mostShown = 1000

/** The step that replaces record sets of a zone in one transaction of PowerDNS. */
export function setRecords(api: PowerdnsApi): StepKind<RecordsArgs, Was<SetStates>, null> {
  const read = async ({ zone, sets }: RecordsArgs) => stateOf(await readSets(api, zone, sets), given(sets))
  const wanted = ({ sets }: RecordsArgs): SetStates =>
    Object.fromEntries(Object.entries(given(sets)).filter(([, set]) => set.records.length > 0))
  return stateStep<RecordsArgs, SetStates>({
    name: 'powerdns.set-records',
    plan: ({ zone, sets }) => ({
      title: `Set ${sets.length === 1 ? 'a record set' : `${sets.length} record sets`} of the zone ${zone}`,
    }),
    preview: async (args) => changedSets(await read(args), wanted(args)),
    changed: (_args, was, now) => changedSets(was ?? {}, now ?? {}),
    read,
    wanted,
    write: async ({ zone, sets }, state, { now }) => {
      const rrsets = replacements(withSerial(state ?? {}, sets), now ?? {})
      if (rrsets.length > 0) await api.write({ method: 'PATCH', path: zonePath(zone), body: { rrsets } })
    },
  })
}

const given = (sets: readonly RecordSet[]): SetStates =>
  stateOf(sets.map((set) => ({ ...set, records: sorted(set.records) })))

/** The state has no serial of the SOA; the request has the one to begin with, which PowerDNS raises. */
function withSerial(state: SetStates, sets: readonly RecordSet[]): SetStates {
  const soa = sets.find(({ type }) => type === 'SOA')
  const wanted = soa && state[keyOf(soa)]
  if (soa === undefined || wanted === undefined) return state
  const serial = soa.records[0]?.content.split(' ')[2] ?? '0'
  const records = wanted.records.map(({ content, disabled }) => {
    const fields = content.split(' ')
    fields[2] = serial
    return { content: fields.join(' '), disabled }
  })
  return { ...state, [keyOf(soa)]: { ...wanted, records } }
}

function changedSets(was: SetStates, now: SetStates): Changed {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(now)])].filter(
    (key) => !isSame(was[key], now[key]),
  )
  return {
    objects: keys
      .slice(0, mostShown)
      .map((key) => ({ name: key, before: shownSet(was[key]), after: shownSet(now[key]) })),
  }
}

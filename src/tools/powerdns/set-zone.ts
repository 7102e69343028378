import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { plannedObject } from '../../host/apply/steps.ts'
import { type PowerdnsApi, zonePath } from './api.ts'
import { acceptable, replacements, type SetStates, sorted, stateOf } from './record-states.ts'
import { readZone, type RecordSet } from './zones.ts'

interface ZoneContent {
  readonly kind: string
  readonly masters: readonly string[]
  readonly sets: readonly RecordSet[]
}

interface ZoneArgs {
  /** Without a final dot. */
  readonly name: string
  /** Null removes the zone. */
  readonly content: ZoneContent | null
}

interface ZoneState {
  readonly kind: string
  readonly masters: readonly string[]
  readonly sets: SetStates
}

/** The step that creates a zone with its record sets, or removes it. */
export function setZone(api: PowerdnsApi): StepKind<ZoneArgs, Was<ZoneState>, null> {
  const setsOf = (content: ZoneContent): SetStates =>
    stateOf(content.sets.map((set) => ({ ...set, records: sorted(set.records) })))
  const read = async ({ name, content }: ZoneArgs): Promise<ZoneState | undefined> => {
    const zone = await readZone(api, name)
    if (zone === undefined) return undefined
    const { kind, masters, sets } = zone
    return { kind, masters, sets: stateOf(sets, content === null ? {} : setsOf(content)) }
  }
  const wanted = ({ content }: ZoneArgs): ZoneState | undefined =>
    content === null ? undefined : { kind: content.kind, masters: content.masters, sets: setsOf(content) }
  return stateStep<ZoneArgs, ZoneState>({
    name: 'powerdns.set-zone',
    plan: ({ name, content }) => ({
      title: content === null ? `Remove the zone ${name}` : `Create the zone ${name}`,
    }),
    ...plannedObject({ object: ({ name }: ZoneArgs) => `zone ${name}`, read, wanted, show: shownZone }),
    read,
    wanted,
    write: ({ name }, state, { now }) => writeZone(api, name, { state, now }),
  })
}

const shownZone = ({ kind, masters, sets }: ZoneState): string =>
  [
    kind,
    ...(masters.length === 0 ? [] : [`of ${masters.join(', ')}`]),
    `${Object.keys(sets).length} record sets`,
  ].join(', ')

interface Wanted {
  readonly state: ZoneState | undefined
  readonly now: ZoneState | undefined
}

async function writeZone(api: PowerdnsApi, name: string, { state, now }: Wanted): Promise<void> {
  if (state === undefined) return void (await api.write({ method: 'DELETE', path: zonePath(name) }))
  const { kind, masters, sets } = state
  if (now === undefined) {
    const body = {
      name: `${name}.`,
      kind,
      masters,
      nameservers: [],
      soa_edit_api: 'DEFAULT',
      api_rectify: false,
    }
    const rrsets = kind === 'Slave' ? [] : Object.values(sets).map(acceptable)
    return void (await api.write({ method: 'POST', path: '/zones', body: { ...body, rrsets } }))
  }
  await api.write({ method: 'PUT', path: zonePath(name), body: { kind, masters } })
  const rrsets = replacements(sets, now.sets)
  if (rrsets.length > 0) await api.write({ method: 'PATCH', path: zonePath(name), body: { rrsets } })
}

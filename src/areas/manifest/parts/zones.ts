import type { RecordSet, Zone } from '../../../tools/powerdns/index.ts'
import { keyOf } from '../../../tools/powerdns/index.ts'
import { Problem } from '../../../core/problem.ts'
import { isSame } from '../../../core/steps.ts'
import {
  createZone,
  ForceRequired,
  isKnownType,
  recordName,
  setsChange,
  wantedSets,
  zoneName,
} from '../../authdns/index.ts'
import type { Manifests } from '../context.ts'
import type { ManifestZone } from '../manifest-model.ts'
import { type Applying, type Part, PartDraft } from '../part.ts'
import { ManifestInvalid } from '../problems.ts'
import { within } from '../within.ts'

/** Decides on the DNS zones of a manifest. */
export async function decideZones(on: Manifests, { input }: Applying): Promise<Part> {
  const part = new PartDraft()
  const wanted = input.manifest.zones ?? []
  if (wanted.length === 0) return part
  if (!(await servesZones(on)))
    throw ManifestInvalid('zones: PowerDNS is not set up on this host, or its plugin is disabled')
  for (const [index, zone] of wanted.entries())
    await within(`zones[${index}]`, async () => {
      const present = await on.authdns.tool.readZone(zoneName(zone.name))
      if (present === undefined) await create(on, part, zone, index)
      else await change(on, part, { zone, present, index, prune: input.prune })
    })
  return part
}

/** True if this host keeps DNS zones. */
export const servesZones = async ({ authdns: { isEnabled, tool } }: Manifests): Promise<boolean> =>
  isEnabled() && (await tool.readApiSettings()) !== undefined

async function create(on: Manifests, part: PartDraft, zone: ManifestZone, index: number) {
  const { name, kind, masters, rrsets } = zone
  if (kind === 'Slave' && rrsets !== undefined && rrsets.length > 0)
    throw ManifestInvalid(`rrsets: the records of a Slave come from its masters: leave them out`)
  const created = await createZone(on.authdns, {
    name,
    ...(kind !== undefined && { kind }),
    ...(masters !== undefined && { masters }),
    ...(rrsets !== undefined && { rrsets }),
  })
  const details = rrsets === undefined ? [] : [counted(rrsets.length)]
  part.add({ action: 'create', object: `zone ${zoneName(name)}`, path: `zones[${index}]`, details }, created)
}

const counted = (count: number) => `${count} record ${count === 1 ? 'set' : 'sets'}`

interface Changing {
  readonly zone: ManifestZone
  readonly present: Zone
  readonly index: number
  readonly prune: boolean
}

async function change(on: Manifests, part: PartDraft, { zone, present, index, prune }: Changing) {
  const { name } = present
  assertKind(zone, present)
  if (zone.rrsets === undefined || present.kind === 'Slave') return
  const sets = wantedSets(withTtl(zone.rrsets, present), name)
  const keys = new Set(sets.map(keyOf))
  const gone = prune ? declarable(present).filter((set) => !keys.has(keyOf(set))) : []
  // at once: a set may take the place of one that is removed, such as a CNAME that of addresses
  const wanted = [...sets, ...gone.map((set) => ({ ...set, records: [] }))]
  const changed = await setsChange(on.authdns, present, { sets: wanted, force: true })
  if (changed.steps.length === 0) return
  part.risks.push(...(await harmOf(on, present, wanted)))
  const object = `zone ${name}`
  const path = `zones[${index}]`
  const { reply } = changed
  const count = typeof reply === 'function' ? 0 : reply.changed - gone.length
  if (count > 0) part.add({ action: 'change', object, path, details: [counted(count)] })
  for (const set of gone)
    part.add({ action: 'delete', object: `${set.name} ${set.type} of ${object}`, path: null, details: [] })
  part.changes.push(changed)
}

type Drafts = NonNullable<ManifestZone['rrsets']>

/** A set without a time to live keeps that of the present one. */
function withTtl(drafts: Drafts, { name: zone, sets }: Zone): Drafts {
  const present = new Map(sets.map((set) => [keyOf(set), set.ttl]))
  return drafts.map((draft, at) => {
    const name = recordName(draft.name, zone, `rrsets[${at}].name`)
    const ttl = draft.ttl ?? present.get(keyOf({ name, type: draft.type.toUpperCase() }))
    return { ...draft, ...(ttl !== undefined && { ttl }) }
  })
}

/** Returns what the endpoint of record sets would not do without `force`. */
async function harmOf(on: Manifests, zone: Zone, sets: readonly RecordSet[]): Promise<readonly string[]> {
  try {
    await setsChange(on.authdns, zone, { sets, force: false })
    return []
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== ForceRequired) throw error
    return [`Zone ${zone.name}: ${error.message.replace(/^force: /, '')}`]
  }
}

function assertKind({ kind, masters, rrsets }: ManifestZone, present: Zone): void {
  if (kind !== undefined && kind !== present.kind)
    throw ManifestInvalid(`kind: ${present.name} is ${present.kind}, which a manifest does not change`)
  if (masters !== undefined && !isSame(masters.toSorted(), [...present.masters].toSorted()))
    throw ManifestInvalid(`masters: those of ${present.name} are not changed by a manifest`)
  if (present.kind === 'Slave' && rrsets !== undefined && rrsets.length > 0)
    throw ManifestInvalid(`rrsets: the records of ${present.name} come from ${present.masters.join(', ')}`)
}

/** The sets that a manifest can have: neither what the panel and DNSSEC make, nor the name servers of the zone itself. */
export const declarable = ({ name, sets }: Zone): readonly RecordSet[] =>
  sets.filter(
    ({ name: of, type }) => isKnownType(type) && type !== 'SOA' && !(type === 'NS' && of === `${name}.`),
  )

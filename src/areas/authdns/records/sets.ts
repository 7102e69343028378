import { Problem } from '../../../core/problem.ts'
import { contentKey, keyOf, type RecordSet } from '../../../tools/powerdns/index.ts'
import type { RecordSetDraft } from '../model.ts'
import { recordName } from '../names.ts'
import { RecordInvalid } from '../problems.ts'
import { recordContent } from './types.ts'

export const defaultTtl = 3600

/** Returns the wanted sets of a request, each with its records in the form of PowerDNS; a removed one has none. */
export function wantedSets(drafts: readonly RecordSetDraft[], zone: string): readonly RecordSet[] {
  const sets = drafts.map((draft, at) => wantedSet(draft, { zone, field: `rrsets[${at}]` }))
  const seen = new Set<string>()
  for (const [at, set] of sets.entries()) {
    if (seen.has(keyOf(set))) throw RecordInvalid(`rrsets[${at}]: ${shownKey(set)} is named twice`)
    seen.add(keyOf(set))
  }
  return sets
}

interface Position {
  readonly zone: string
  readonly field: string
}

function wantedSet(draft: RecordSetDraft, { zone, field }: Position): RecordSet {
  const { ttl = defaultTtl, changetype = 'REPLACE', records = [] } = draft
  const type = draft.type.toUpperCase()
  const name = recordName(draft.name, zone, `${field}.name`)
  if (changetype === 'DELETE') return { name, type, ttl, records: [] }
  if (records.length === 0)
    throw RecordInvalid(`${field}.records: must have a record; changetype DELETE removes the set`)
  const checked = records.map(({ content, disabled = false }, at) => ({
    content: recordContent(type, content, { zone, field: `${field}.records[${at}].content` }),
    disabled,
  }))
  assertDistinct(type, checked, field)
  const set = { name, type, ttl, records: checked }
  assertSingle(set, zone, field)
  return set
}

function assertDistinct(type: string, records: readonly { readonly content: string }[], field: string): void {
  const seen = new Set<string>()
  for (const [at, { content }] of records.entries()) {
    const key = contentKey(type, content)
    if (seen.has(key)) throw RecordInvalid(`${field}.records[${at}].content: is there twice`)
    seen.add(key)
  }
}

/** The key of a content that PowerDNS has: others may have written it in another form, or what the panel would refuse. */
export function presentKey(type: string, content: string, zone: string): string {
  try {
    return contentKey(type, recordContent(type, content, { zone, field: 'content' }))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return contentKey(type, content)
  }
}

function assertSingle({ name, type, records }: RecordSet, zone: string, field: string): void {
  if ((type === 'CNAME' || type === 'DNAME' || type === 'SOA') && records.length > 1)
    throw RecordInvalid(`${field}.records: a name has only one ${type}`)
  if (type === 'SOA' && name !== `${zone}.`)
    throw RecordInvalid(`${field}.name: the SOA belongs to the zone itself`)
}

/** Refuses a CNAME at a name that has other records as well (RFC 1034, 3.6.2). */
export function assertAlone(sets: readonly RecordSet[]): void {
  const byName = Map.groupBy(
    sets.filter(({ records }) => records.length > 0),
    ({ name }) => name,
  )
  for (const [name, ofName] of byName) {
    const other = ofName.find(({ type }) => type !== 'CNAME')
    if (other !== undefined && ofName.some(({ type }) => type === 'CNAME'))
      throw RecordInvalid(
        `name: ${name} has a CNAME and ${other.type} records; a CNAME must be the only record of its name`,
      )
  }
}

/** Refuses sets that leave a zone without SOA or name servers: it is answered with SERVFAIL, whoever asks for it. */
export function assertServed(zone: string, sets: readonly RecordSet[]): void {
  const gone = sets.find((set) => isApex(set, zone) && set.records.every(({ disabled }) => disabled))
  if (gone !== undefined)
    throw RecordInvalid(`rrsets: the zone ${zone} needs ${gone.type} records: replace them instead`)
}

/** True for the SOA and the name servers of a zone. */
export const isApex = ({ name, type }: RecordSet, zone: string): boolean =>
  name === `${zone}.` && (type === 'SOA' || type === 'NS')

export const shownKey = ({ name, type }: Pick<RecordSet, 'name' | 'type'>): string => `${name} ${type}`

import type { RecordSet, RecordSetDraft, Zone } from '../model.ts'

/** The changes that were made in the editor and not yet applied, by name and type. */
export type Staged = Readonly<Record<string, RecordSetDraft>>

/** A record set in the editor, with what is staged for it. */
export interface EditedSet extends RecordSet {
  readonly key: string
  /** Its name relative to the zone. */
  readonly shownName: string
  readonly state: 'unchanged' | 'new' | 'changed' | 'removed'
}

export const keyOf = ({ name, type }: Pick<RecordSet, 'name' | 'type'>): string => `${name} ${type}`

/** Returns a name relative to its zone; `@` for the zone itself. */
export const relativeName = (name: string, zone: string): string =>
  name === `${zone}.` ? '@' : name.endsWith(`.${zone}.`) ? name.slice(0, -zone.length - 2) : name

/** Returns an absolute name with a final dot. */
export function absoluteName(typed: string, zone: string): string {
  const name = typed.trim().toLowerCase()
  if (name === '' || name === '@') return `${zone}.`
  if (name.endsWith('.')) return name
  return name === zone || name.endsWith(`.${zone}`) ? `${name}.` : `${name}.${zone}.`
}

/** Returns the records that were typed, one to a line. */
export const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A TTL and records, one to a line, as they are typed in the row of a set. */
export interface TypedSet {
  readonly key: string
  readonly ttl: number
  readonly text: string
}

/** Returns what is typed first where a set is edited: the set as it is. */
export const typedSet = ({ key, ttl, records }: EditedSet): TypedSet => ({
  key,
  ttl,
  text: records.map(({ content }) => content).join('\n'),
})

/** Returns the draft of a set from what was typed; a record that is not served stays so. */
export function draftOf({ name, type, records }: EditedSet, { ttl, text }: TypedSet): RecordSetDraft {
  const disabled = new Set(records.filter((one) => one.disabled).map(({ content }) => content))
  const typed = linesOf(text).map((content) => ({ content, disabled: disabled.has(content) }))
  return { name, type, ttl, changetype: 'REPLACE', records: typed }
}

/** Lists the record sets of a zone as they are once the staged changes are applied. */
export function editedSets({ name: zone, rrsets }: Zone, staged: Staged): readonly EditedSet[] {
  const shown = (set: RecordSet, state: EditedSet['state']): EditedSet => ({
    ...set,
    key: keyOf(set),
    shownName: relativeName(set.name, zone),
    state,
  })
  const known = new Set(rrsets.map(keyOf))
  const added = Object.entries(staged).filter(([key]) => !known.has(key))
  return [
    ...added.map(([, draft]) => shown(filled(draft), 'new')),
    ...rrsets.map((set) => {
      const draft = staged[keyOf(set)]
      if (draft === undefined) return shown(set, 'unchanged')
      return draft.changetype === 'DELETE' ? shown(set, 'removed') : shown(filled(draft), 'changed')
    }),
  ]
}

const filled = ({ name, type, ttl = 3600, records = [] }: RecordSetDraft): RecordSet => ({
  name,
  type,
  ttl,
  records,
})

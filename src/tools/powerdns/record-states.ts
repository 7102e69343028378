import { isSame } from '../../core/steps.ts'
import { hexadecimalForm, isV6 } from './addresses.ts'
import { contentKey } from './content-key.ts'
import type { DnsRecord, RecordSet } from './zones.ts'
import { keyOf } from './zones.ts'

/** The sets of a zone as the steps compare and store them, by name and type. */
export type SetStates = Readonly<Record<string, RecordSet>>

/** The serial of an SOA is PowerDNS's own, and no part of the state. */
export function stateOf(sets: readonly RecordSet[], wanted: SetStates = {}): SetStates {
  return Object.fromEntries(
    sets.map((set) => {
      const shown = set.type === 'SOA' ? { ...set, records: set.records.map(withoutSerial) } : set
      return [keyOf(set), inFormOf(shown, wanted[keyOf(set)])]
    }),
  )
}

/**
 * PowerDNS stores some contents in another form than they were sent in: these get the wanted form. Each form is
 * given once, so that two records never become one.
 */
function inFormOf(set: RecordSet, wanted: RecordSet | undefined): RecordSet {
  if (wanted === undefined) return set
  const present = new Set(set.records.map(({ content }) => content))
  const wantedContents = new Set(wanted.records.map(({ content }) => content))
  const missing = [...wantedContents].filter((content) => !present.has(content))
  const forms = new Map(missing.map((content) => [contentKey(set.type, content), content]))
  const records = set.records.map((record) => {
    const key = contentKey(set.type, record.content)
    const form = wantedContents.has(record.content) ? undefined : forms.get(key)
    if (form === undefined) return record
    forms.delete(key)
    return { ...record, content: form }
  })
  return { ...set, records: sorted(records) }
}

export const sorted = (records: readonly DnsRecord[]): readonly DnsRecord[] =>
  records.toSorted((one, other) => (one.content < other.content ? -1 : 1))

function withoutSerial({ content, disabled }: DnsRecord): DnsRecord {
  const fields = content.split(' ')
  fields[2] = '0'
  return { content: fields.join(' '), disabled }
}

/** The sets that differ, as the API receives them. */
export function replacements(state: SetStates, now: SetStates): readonly object[] {
  const keys = [...new Set([...Object.keys(now), ...Object.keys(state)])]
  return keys.flatMap((key): object[] => {
    const [wanted, present] = [state[key], now[key]]
    if (isSame(wanted, present)) return []
    if (wanted === undefined || wanted.records.length === 0)
      return present === undefined ? [] : [{ name: present.name, type: present.type, changetype: 'DELETE' }]
    return [{ ...acceptable(wanted), changetype: 'REPLACE' }]
  })
}

/** Returns a set in the form that the API takes: it refuses the dotted AAAA records that it reads out. */
export function acceptable(set: RecordSet): RecordSet {
  if (set.type !== 'AAAA') return set
  const records = set.records.map(({ content, disabled }) => ({
    content: isV6(content) ? hexadecimalForm(content) : content,
    disabled,
  }))
  return { ...set, records }
}

/** One set in a plan. */
export const shownSet = (set: RecordSet | undefined): string | null =>
  set === undefined || set.records.length === 0
    ? null
    : set.records
        .map(({ content, disabled }) => `${set.ttl} ${content}${disabled ? ' (disabled)' : ''}`)
        .join('\n')

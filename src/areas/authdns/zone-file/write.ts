import type { RecordSet } from '../../../tools/powerdns/index.ts'

/** Writes a zone file (RFC 1035) with the SOA first; disabled records are comments. */
export function writeZoneFile(zone: string, sets: readonly RecordSet[]): string {
  const lines = sets.toSorted(byPlace(zone)).flatMap((set) => linesOf(set, zone))
  return [`$ORIGIN ${zone}.`, ...lines, ''].join('\n')
}

const byPlace = (zone: string) => (one: RecordSet, other: RecordSet) =>
  compare(placeOf(one, zone), placeOf(other, zone))

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** SOA and NS of the zone itself, the rest of it, and then the other names in alphabetical order. */
function placeOf({ name, type }: RecordSet, zone: string): string {
  if (name !== `${zone}.`) return `1 ${name} ${type}`
  return `0 ${['SOA', 'NS'].indexOf(type) === -1 ? 2 : ['SOA', 'NS'].indexOf(type)} ${type}`
}

function linesOf({ name, type, ttl, records }: RecordSet, zone: string): readonly string[] {
  const owner = name === `${zone}.` ? '@' : name.slice(0, -zone.length - 2)
  return records.map(
    ({ content, disabled }) => `${disabled ? '; disabled: ' : ''}${owner}\t${ttl}\tIN\t${type}\t${content}`,
  )
}

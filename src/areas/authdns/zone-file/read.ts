import { contentKey, keyOf, type RecordSet } from '../../../tools/powerdns/index.ts'
import { recordName } from '../names.ts'
import { ZoneFileInvalid } from '../problems.ts'
import { isKnownType, recordContent } from '../records/types.ts'
import { filled, rangeOf } from './generate.ts'
import { absolute, secondsIn } from './names.ts'
import { entriesOf, type Entry, type Token } from './tokens.ts'

/** Of a zone file, with those of `$GENERATE`. */
const mostRecords = 200_000

/** In characters of names and data, with those of `$GENERATE`: what PowerDNS takes at once, with room for its JSON. */
const mostCharacters = 32 * 1024 * 1024

/** What directives and entries set for those that follow. */
interface Settings {
  readonly zone: string
  origin: string
  defaultTtl: number | undefined
  /** The name of the last entry, and its TTL. */
  name: string | undefined
  ttl: number | undefined
}

interface ReadRecord {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly content: string
}

/** Reads the record sets of a zone file; refuses with the line what it does not understand. */
export function readZoneFile(text: string, zone: string): readonly RecordSet[] {
  const settings: Settings = {
    ...{ zone, origin: `${zone}.`, defaultTtl: undefined },
    ...{ name: undefined, ttl: undefined },
  }
  const sets = new Map<string, { set: RecordSet; seen: Map<string, string> }>()
  let [count, characters] = [0, 0]
  for (const entry of entriesOf(text))
    for (const record of recordsOf(entry, settings)) {
      count += 1
      if (count > mostRecords)
        throw ZoneFileInvalid(`bind_data: line ${entry.line}: a zone file has at most ${mostRecords} records`)
      characters += record.name.length + record.content.length
      if (characters > mostCharacters)
        throw ZoneFileInvalid(
          `bind_data: line ${entry.line}: the records of a zone file have at most ${mostCharacters} characters`,
        )
      addTo(sets, record)
    }
  return [...sets.values()].map(({ set, seen }) => ({
    ...set,
    records: [...seen.values()].map((content) => ({ content, disabled: false })),
  }))
}

/** Records that are there twice count once; those of a set have one TTL, the lowest (RFC 2181, 5.2). */
function addTo(
  sets: Map<string, { set: RecordSet; seen: Map<string, string> }>,
  { name, type, ttl, content }: ReadRecord,
): void {
  const key = keyOf({ name, type })
  const found = sets.get(key) ?? { set: { name, type, ttl, records: [] }, seen: new Map<string, string>() }
  const seen = found.seen.set(contentKey(type, content), content)
  sets.set(key, { set: { ...found.set, ttl: Math.min(found.set.ttl, ttl) }, seen })
}

function* recordsOf(entry: Entry, settings: Settings): Generator<ReadRecord> {
  const { tokens, line } = entry
  const [first, second] = tokens
  const directive =
    first?.isQuoted === false && first.text.startsWith('$') ? first.text.toUpperCase() : undefined
  if (directive === undefined || entry.isContinued) return yield readRecord(entry, settings)
  if (directive === '$GENERATE') return yield* generated(entry, settings)
  if (directive === '$ORIGIN' && second !== undefined) {
    settings.origin = absolute(second.text, settings.origin, line)
    return undefined
  }
  if (directive === '$TTL' && second !== undefined) {
    settings.defaultTtl = secondsIn(second.text) ?? refuse(line, `$TTL: ${second.text} is no time to live`)
    return undefined
  }
  if (directive === '$INCLUDE')
    return refuse(line, '$INCLUDE is not supported: paste the included file in its place')
  return refuse(line, `${first?.text} is not a directive of zone files`)
}

function* generated({ tokens, line }: Entry, settings: Settings): Generator<ReadRecord> {
  const [, range, ...template] = tokens
  if (range === undefined || template.length < 3)
    refuse(line, '$GENERATE has the form $GENERATE 1-254 host$ A 192.0.2.$')
  for (const number of rangeOf(range?.text ?? '', line)) {
    const made = template.map((each) => ({ ...each, text: filled(each.text, number, line) }))
    yield readRecord({ line, isContinued: false, tokens: made }, settings)
  }
}

function readRecord({ tokens, line, isContinued }: Entry, settings: Settings): ReadRecord {
  const rest = [...tokens]
  const owner = isContinued ? undefined : rest.shift()
  if (owner !== undefined) settings.name = ownerOf(owner, line, settings)
  const name = settings.name ?? refuse(line, 'the first record has no name')
  const { ttl: ownTtl, type } = takeHead(rest, line)
  const content = contentOf(type, rest, { line, settings })
  const ttl = ownTtl ?? settings.defaultTtl ?? settings.ttl ?? minimumIn(type, content)
  settings.ttl = ttl
  return {
    name,
    type,
    ttl: ttl ?? refuse(line, 'the record has no time to live, and there is no $TTL'),
    content,
  }
}

function ownerOf({ text, isQuoted }: Token, line: number, { origin, zone }: Settings): string {
  if (isQuoted) refuse(line, 'a name is not written in quotes')
  return recordName(absolute(text, origin, line), zone, `bind_data: line ${line}`)
}

/** Takes the TTL and the class, in either order, and the type. */
function takeHead(rest: Token[], line: number): { readonly ttl: number | undefined; readonly type: string } {
  let ttl: number | undefined
  for (;;) {
    const { text, isQuoted } = rest.shift() ?? refuse(line, 'the record has no type')
    const seconds = ttl === undefined && !isQuoted ? secondsIn(text) : undefined
    const word = text.toUpperCase()
    if (seconds !== undefined) ttl = seconds
    else if (['CH', 'HS', 'CS'].includes(word)) refuse(line, `the class ${word} is not served: only IN`)
    else if (word !== 'IN') {
      if (!isKnownType(word))
        refuse(line, `${text.slice(0, 40)} is not a type of records that can be imported`)
      return { ttl, type: word }
    }
  }
}

/** The fields of the data that are names, by type. */
const nameFields: Readonly<Record<string, readonly number[]>> = {
  ...{ CNAME: [0], DNAME: [0], NS: [0], PTR: [0], ALIAS: [0] },
  ...{ MX: [1], AFSDB: [1], KX: [1], LP: [1], HTTPS: [1], SVCB: [1] },
  ...{ SRV: [3], NAPTR: [5], SOA: [0, 1], RP: [0, 1] },
}

interface Place {
  readonly line: number
  readonly settings: Settings
}

function contentOf(type: string, tokens: readonly Token[], { line, settings }: Place): string {
  const names = nameFields[type] ?? []
  const fields = tokens.map(({ text, isQuoted }, at) => {
    if (names.includes(at) && !isQuoted && text !== '.') return absolute(text, settings.origin, line)
    if (type === 'SOA' && at > 2) return String(secondsIn(text) ?? text)
    return isQuoted || type === 'TXT' || type === 'SPF' ? `"${text}"` : text
  })
  const hasParameters = type === 'HTTPS' || type === 'SVCB'
  const parts = fields.map((field, at) => (hasParameters && tokens[at]?.isJoined ? field : ` ${field}`))
  return recordContent(type, parts.join('').slice(1), {
    zone: settings.zone,
    field: `bind_data: line ${line}`,
  })
}

/** Records without a TTL have that of the last field of the SOA (RFC 1035, 3.3.13). */
const minimumIn = (type: string, content: string): number | undefined =>
  type === 'SOA' ? Number(content.split(' ').at(-1)) : undefined

function refuse(line: number, message: string): never {
  throw ZoneFileInvalid(`bind_data: line ${line}: ${message}`)
}

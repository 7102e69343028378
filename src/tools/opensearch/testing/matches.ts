/** A line as the stand-in stores it. */
export type Doc = Record<string, unknown>

/** A query string that OpenSearch would refuse. */
export class QueryBroken extends Error {}

/** True if a query of the panel matches a line. Knows the forms that the panel sends, and no others. */
export function matches(query: any, doc: Doc): boolean {
  const [[kind, given]] = Object.entries(query) as [[string, any]]
  switch (kind) {
    case 'bool': {
      const all = (list: readonly object[] = []) => list.map((each) => matches(each, doc))
      const { must, filter, should, must_not: mustNot } = given
      const hasOne = should === undefined || all(should).includes(true)
      return ![...all(must), ...all(filter)].includes(false) && !all(mustNot).includes(true) && hasOne
    }
    case 'query_string':
      return matchesText(given.query, doc)
    case 'range':
      return isWithin(given['@timestamp'], String(doc['@timestamp']))
    case 'terms':
    case 'term': {
      const [[field, values]] = Object.entries(given) as [[string, unknown]]
      return [values].flat().includes(doc[field])
    }
    case 'match_none':
      return false
    default:
      throw new Error(`the stand-in does not know the query ${kind}`)
  }
}

/** Words, all of which must be in the message, and `field:value`. */
function matchesText(query: string, doc: Doc): boolean {
  const isOpen =
    (query.match(/"/g) ?? []).length % 2 === 1 || query.split('(').length !== query.split(')').length
  if (isOpen || /\b(?:AND|OR|NOT)\s*$/.test(query)) throw new QueryBroken(`Failed to parse query [${query}]`)
  const tokens = String(doc['message'])
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  const wanted = query.match(/(?:[^\s"]+:)?"[^"]*"|[^\s"]+/g) ?? []
  return wanted
    .filter((each) => each !== 'AND')
    .every((each) => {
      const [, field, value] = /^(\w+):(.+)$/.exec(each) ?? []
      if (field !== undefined) return doc[field] === value
      const plain = each.replaceAll('"', '').toLowerCase().split(/\s+/)
      return plain.every((word) => tokens.includes(word))
    })
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

interface Range {
  readonly gte?: string
  readonly gt?: string
  readonly lte?: string
}

function isWithin({ gte, gt, lte }: Range, time: string): boolean {
  const at = (text: string) => {
    const [, count, unit = ''] = /^now-(\d+)([mhd])$/.exec(text) ?? []
    return count === undefined ? Date.parse(text) : Date.now() - Number(count) * (unitMs[unit] ?? 0)
  }
  const value = Date.parse(time)
  const isAfter = (gte === undefined || value >= at(gte)) && (gt === undefined || value > at(gt))
  return isAfter && (lte === undefined || value <= at(lte))
}

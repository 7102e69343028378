import type { StreamParser, StringStream } from '@codemirror/language'

const sections =
  /^(?:global|defaults|frontend|backend|listen|userlist|peers|resolvers|mailers|program|cache|ring|http-errors|fcgi-app|log-forward|crt-store)$/
const conditions = /^(?:if|unless|or)$/

interface Place {
  /** Number of tokens read in this line so far. */
  tokens: number
  isSection: boolean
}

/** Highlights a HAProxy configuration: sections, keywords, conditions, numbers, quotes and comments. */
export const haproxyMode: StreamParser<Place> = {
  name: 'haproxy',
  startState: () => ({ tokens: 0, isSection: false }),
  languageData: { commentTokens: { line: '#' } },
  token: (stream, place) => {
    if (stream.sol()) Object.assign(place, { tokens: 0, isSection: false })
    if (stream.eatSpace()) return null
    if (stream.peek() === '#') {
      stream.skipToEnd()
      return 'comment'
    }
    const quoted = quote(stream)
    if (quoted) return quoted
    if (stream.match(/^[{}]/)) return 'bracket'
    return wordOf(stream, place)
  },
}

function quote(stream: StringStream): string | null {
  return stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'[^']*'?/) ? 'string' : null
}

function wordOf(stream: StringStream, place: Place): string | null {
  if (!stream.match(/^(?:[^\s#"'{}\\]|\\.)+/)) stream.next()
  const word = stream.current()
  const position = place.tokens++
  if (position === 0) {
    place.isSection = sections.test(word)
    return place.isSection ? 'keyword' : 'propertyName'
  }
  if (position === 1 && place.isSection) return 'typeName'
  if (conditions.test(word)) return 'operatorKeyword'
  return /^(?:\d+(?:us|ms|[smhdkKMG])?|[\d.]+:\d+|\*?:\d+)$/.test(word) ? 'number' : null
}

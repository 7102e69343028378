import type { PartKind } from './section-parts.ts'
import { rawOf } from './statement.ts'
import { encodeToken, readTokens } from './tokens.ts'

/** A keyword with one word as its value. */
export const single = (part: string, keyword: string): PartKind<string, string | null> => ({
  part,
  keywords: [keyword],
  read: (line) => {
    const tokens = readTokens(line)
    return tokens[0]?.text === keyword ? tokens[1]?.text : undefined
  },
  render: (value) => `${keyword} ${encodeToken(value)}`,
  valueOf: (items) => items.at(-1) ?? null,
  itemsOf: (value) => (value === null ? [] : [value]),
})

/** A keyword with an integer as its value. */
export const count = (part: string, keyword: string): PartKind<string, number | null> => ({
  ...single(part, keyword),
  valueOf: (items) => (/^\d{1,9}$/.test(items.at(-1) ?? '') ? Number(items.at(-1)) : null),
  itemsOf: (value) => (value === null ? [] : [String(value)]),
})

export interface Timeout {
  readonly name: string
  readonly value: string
}

/** The statements of one kind, each an item of a list. */
export const asList = {
  valueOf: <Item>(items: readonly Item[]) => items,
  itemsOf: <Item>(items: readonly Item[]) => items,
}

export const timeouts: PartKind<Timeout, readonly Timeout[]> = {
  part: 'timeouts',
  keywords: ['timeout'],
  read: (line) => {
    const [keyword, name, value] = readTokens(line)
    return keyword?.text === 'timeout' && name !== undefined && value !== undefined
      ? { name: name.text, value: value.text }
      : undefined
  },
  render: ({ name, value }) => `timeout ${encodeToken(name)} ${encodeToken(value)}`,
  ...asList,
  isSame: (one, other) => one.name === other.name,
  edit: (line, { value }) => {
    const token = readTokens(line)[2]!
    return line.slice(0, token.start) + encodeToken(value) + line.slice(token.start + token.raw.length)
  },
}

/** True if the visitor's address is forwarded to the servers. */
export const forwardsAddress: PartKind<string, boolean> = {
  part: 'forwardsAddress',
  keywords: ['option'],
  read: (line) => {
    const tokens = readTokens(line)
    return tokens[0]?.text === 'option' && tokens[1]?.text === 'forwardfor'
      ? rawOf(tokens.slice(1))
      : undefined
  },
  render: (text) => `option ${text}`,
  valueOf: (items) => items.length > 0,
  itemsOf: (value) => (value ? ['forwardfor'] : []),
}

/** The media types that are compressed with gzip; null disables compression. */
export const compression: PartKind<string, readonly string[] | null> = {
  part: 'compression',
  keywords: ['compression'],
  read: (line) => {
    const tokens = readTokens(line)
    return tokens[0]?.text === 'compression' ? rawOf(tokens.slice(1)) : undefined
  },
  render: (text) => `compression ${text}`,
  valueOf: (items) => {
    if (items.length === 0) return null
    return items
      .flatMap((item) => (/^type\s/.test(item) ? readTokens(item).slice(1) : []))
      .map(({ text }) => text)
  },
  itemsOf: (types) =>
    types === null
      ? []
      : ['algo gzip', ...(types.length === 0 ? [] : [`type ${types.map(encodeToken).join(' ')}`])],
  isBeyondForm: (items) => items.some((item) => !/^algo\s+gzip$|^type\s/.test(item)),
}

import { isDeepStrictEqual } from 'node:util'
import { parse, TomlError } from 'smol-toml'

/** Values by their names at the top of a file, as TOML writes them; null removes one. */
export type Literals = Readonly<Record<string, string | null>>

/** A file is not valid TOML. The message quotes no line of it, as a line may contain a secret. */
export class TomlInvalid extends Error {}

/** An edit would change more than its own values, such as a table that has the name of one. */
export class EditImpossible extends Error {}

/** Parses a file; throws `TomlInvalid` with the line that is wrong. */
export function parseToml(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n')
    throw new TomlInvalid(`line ${error.line}, column ${error.column}: ${reason}`, { cause: error })
  }
}

/** Writes a value as TOML does. */
export function literalOf(value: string | number): string {
  if (typeof value === 'number') return String(value)
  // TOML takes every escape of JSON; it also forbids DEL, which JSON leaves as it is
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f')
}

/** Returns the literals of top-level values; null for those that are absent. */
export function literalsOf(text: string, names: readonly string[]): Literals {
  const { entries } = outlineOf(text)
  return Object.fromEntries(
    names.map((name) => {
      const entry = entries.find((each) => each.name === name)
      return [name, entry ? text.slice(entry.valueStart, entry.valueEnd) : null]
    }),
  )
}

/**
 * Sets and removes values at the top of a TOML file, and keeps every other byte: comments, order, line ends. The
 * result is parsed again; throws `EditImpossible` unless exactly the wanted values differ.
 */
export function editToml(text: string, literals: Literals): string {
  const before = parseToml(text)
  const edited = Object.entries(literals).reduce(
    (current, [name, literal]) => editOne(current, name, literal),
    text,
  )
  if (!hasExactly(edited, before, literals))
    throw new EditImpossible(
      `${Object.keys(literals).join(', ')} cannot be edited here: edit the file as text`,
    )
  return edited
}

/** Replaces the literals of top-level values. */
export function mapLiterals(
  text: string,
  replaced: (name: string | undefined, literal: string) => string,
): string {
  return outlineOf(text).entries.reduceRight(
    (current, { name, valueStart, valueEnd }) =>
      current.slice(0, valueStart) +
      replaced(name, current.slice(valueStart, valueEnd)) +
      current.slice(valueEnd),
    text,
  )
}

function editOne(text: string, name: string, literal: string | null): string {
  const { entries, tables } = outlineOf(text)
  const entry = entries.find((each) => each.name === name)
  if (literal === null) return entry ? withoutEntry(text, entry) : text
  if (entry) return text.slice(0, entry.valueStart) + literal + text.slice(entry.valueEnd)
  const at = entries.at(-1)?.end ?? tables
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const head = text.slice(0, at)
  const gap = head === '' || head.endsWith('\n') ? '' : lineEnd
  return `${head}${gap}${name} = ${literal}${lineEnd}${text.slice(at)}`
}

/** A comment behind the value stays, on a line of its own. */
function withoutEntry(text: string, { start, valueEnd, end }: Entry): string {
  const rest = text.slice(valueEnd, end).trimStart()
  return text.slice(0, start) + (rest.startsWith('#') ? rest : '') + text.slice(end)
}

function hasExactly(text: string, before: Readonly<Record<string, unknown>>, literals: Literals): boolean {
  try {
    const wanted = new Map(Object.entries(before))
    for (const [name, literal] of Object.entries(literals)) {
      wanted.delete(name)
      if (literal !== null) wanted.set(name, parseToml(`${name} = ${literal}`)[name])
    }
    return isDeepStrictEqual(new Map(Object.entries(parseToml(text))), wanted)
  } catch (error) {
    if (error instanceof TomlInvalid) return false
    throw error
  }
}

/** One `name = value` before the first table. */
interface Entry {
  /** Undefined for a dotted key. */
  readonly name: string | undefined
  /** Where its first line begins, and where the line after its last begins. */
  readonly start: number
  readonly end: number
  readonly valueStart: number
  readonly valueEnd: number
}

interface Outline {
  readonly entries: readonly Entry[]
  /** Where the first table begins, with the comments above it; the length of the text if there is none. */
  readonly tables: number
}

/** Finds the entries before the first table in a text that is valid TOML. */
function outlineOf(text: string): Outline {
  const entries: Entry[] = []
  let comments: number | undefined
  let start = 0
  while (start < text.length) {
    const first = skip(text, start, ' \t\uFEFF')
    if (text[first] === '[') return { entries, tables: comments ?? start }
    if (text[first] === '#') {
      comments ??= start
      start = lineAfter(text, first)
    } else if (first === text.length || '\r\n'.includes(text[first] ?? '')) {
      comments = undefined
      start = lineAfter(text, first)
    } else {
      comments = undefined
      const entry = entryAt(text, start, first)
      entries.push(entry)
      start = entry.end
    }
  }
  return { entries, tables: text.length }
}

function entryAt(text: string, start: number, first: number): Entry {
  const equals = endOf(text, first, '=')
  const valueStart = skip(text, equals + 1, ' \t')
  const stop = endOf(text, valueStart, '#\n')
  const valueEnd = valueStart + text.slice(valueStart, stop).trimEnd().length
  return { name: nameOf(text.slice(first, equals)), start, end: lineAfter(text, stop), valueStart, valueEnd }
}

/** A key may be quoted, with escapes. */
function nameOf(key: string): string | undefined {
  const [[name, value] = []] = Object.entries(parseToml(`${key} = 0`))
  return value === 0 ? name : undefined
}

/** The next of some characters outside quotes and brackets, or the end of the text. */
function endOf(text: string, from: number, ends: string): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const character = text[at] ?? ''
    if (depth === 0 && ends.includes(character)) return at
    if (character === '#') {
      at = lineAfter(text, at)
      continue
    }
    if (character === '"' || character === "'") {
      at = afterQuoted(text, at, character)
      continue
    }
    if ('[{'.includes(character)) depth++
    if (']}'.includes(character)) depth--
    at++
  }
  return at
}

/** A string of several lines may end with up to two quotes of its own before the three that close it. */
function afterQuoted(text: string, from: number, quote: string): number {
  const isLong = text.startsWith(quote.repeat(3), from)
  const close = isLong ? quote.repeat(3) : quote
  let at = from + close.length
  while (at < text.length && !text.startsWith(close, at)) at += quote === '"' && text[at] === '\\' ? 2 : 1
  at += close.length
  for (let own = 0; isLong && own < 2 && text[at] === quote; own++) at++
  return at
}

function skip(text: string, from: number, characters: string): number {
  let at = from
  while (at < text.length && characters.includes(text[at] ?? '')) at++
  return at
}

function lineAfter(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

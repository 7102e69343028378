import { type Config, spliceLines } from './config.ts'
import { firstWord, readWords } from './words.ts'

/** A part of the configuration that begins with a keyword of its own. */
export interface Section {
  readonly kind: string
  /** Empty where it has none. */
  readonly name: string
  /** The line of its keyword. */
  readonly start: number
  /** After its last statement: a new statement goes here. What follows up to the next section are comments, empty lines and open conditions. */
  readonly ownEnd: number
  /** Where the next section begins. */
  readonly end: number
}

const keywords = new Set([
  'global',
  'defaults',
  'frontend',
  'backend',
  'listen',
  'peers',
  'resolvers',
  'mailers',
  'userlist',
  'program',
  'cache',
  'http-errors',
  'ring',
  'log-forward',
  'log-profile',
  'fcgi-app',
  'crt-store',
  'traces',
  'acme',
])

/** The sections in their order, also those inside `.if` blocks, whose conditions only HAProxy can judge. */
export function sectionsOf({ lines }: Config): readonly Section[] {
  const starts: { readonly start: number; readonly kind: string }[] = []
  lines.forEach((line, start) => {
    const kind = firstWord(line)
    if (kind !== undefined && keywords.has(kind)) starts.push({ start, kind })
  })
  return starts.map(({ start, kind }, index) => {
    const end = starts[index + 1]?.start ?? lines.length
    return { kind, name: readWords(lines[start]!)[1]?.text ?? '', start, ownEnd: findOwnEnd(lines, start, end), end }
  })
}

/** The first section of one of these kinds with this name. */
export function findSection(config: Config, kinds: readonly string[], name: string): Section | undefined {
  return sectionsOf(config).find((section) => section.name === name && kinds.includes(section.kind))
}

/** The text of a section up to its last statement. */
export function sectionText({ lines }: Config, { start, ownEnd }: Section): string {
  return lines.slice(start, ownEnd).join('')
}

/** Adds a section at the end, after an empty line. */
export function appendSection(config: Config, lines: readonly string[]): Config {
  const isApart = config.lines.length === 0 || config.lines.at(-1)!.trim() === ''
  return spliceLines(config, config.lines.length, config.lines.length, isApart ? lines : ['', ...lines])
}

/** Removes a section with its indented comments; what stands at the margin after it belongs to what follows. */
export function dropSection(config: Config, { start, ownEnd, end }: Section): Config {
  let until = ownEnd
  while (until < end && /^[ \t]+#/.test(config.lines[until]!)) until++
  const isBlank = (index: number) => config.lines[index]?.trim() === ''
  const isAfterBlank = start === 0 || isBlank(start - 1)
  while (isAfterBlank && until < end && isBlank(until)) until++
  const reachesTheEnd = until === config.lines.length
  let from = start
  while (reachesTheEnd && from > 0 && isBlank(from - 1)) from--
  return spliceLines(config, from, until, [])
}

/** A condition that was opened before the section ends it; one that is opened in it and never closed there opens what follows. */
function findOwnEnd(lines: readonly string[], start: number, end: number): number {
  let depth = 0
  let ownEnd = start + 1
  for (let at = start + 1; at < end; at++) {
    const word = firstWord(lines[at]!)
    if (word === undefined) continue
    if (depth === 0 && (word === '.endif' || word === '.else' || word === '.elif')) return ownEnd
    if (word === '.if') depth++
    else if (word === '.endif') depth--
    if (depth === 0) ownEnd = at + 1
  }
  return ownEnd
}

import type { Config } from './config.ts'
import { firstToken, readTokens } from './tokens.ts'

/** A section of the configuration, which begins with a section keyword. */
export interface Section {
  readonly kind: string
  /** Empty if it has none. */
  readonly name: string
  /** The line of its keyword. */
  readonly start: number
  /**
   * The line after its last statement, where new statements are inserted. Only comments, empty lines and open
   * conditions follow up to the next section.
   */
  readonly ownEnd: number
  /** The line at which the next section begins. */
  readonly end: number
  /** The lines of its statements by first word, in order. */
  readonly statements: ReadonlyMap<string, readonly number[]>
  /** The `defaults` that apply to it: the section named after `from`, otherwise the last one before it. */
  readonly defaults: Section | undefined
}

/** The result of one pass over all lines. */
export interface Outline {
  readonly sections: readonly Section[]
  /** True if a line is between `.if` and `.endif`: only HAProxy can evaluate the condition. */
  isConditional(line: number): boolean
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

const outlines = new WeakMap<Config, Outline>()

/** Returns the outline of a configuration, computed once per configuration. */
export function outlineOf(config: Config): Outline {
  const known = outlines.get(config)
  if (known !== undefined) return known
  const outline = readOutline(config)
  outlines.set(config, outline)
  return outline
}

function readOutline({ lines }: Config): Outline {
  const tokens = lines.map(firstToken)
  const depths = depthsOf(tokens)
  const starts = tokens.flatMap((token, at) => (token !== undefined && keywords.has(token) ? [at] : []))
  const sections: Section[] = []
  const defaults = new Map<string, Section>()
  let lastDefaults: Section | undefined
  starts.forEach((start, index) => {
    const [kind, name, from] = headOf(lines[start]!)
    const end = starts[index + 1] ?? lines.length
    const takes = from === undefined ? (kind === 'defaults' ? undefined : lastDefaults) : defaults.get(from)
    const ownEnd = findOwnEnd(tokens, start, end)
    const section = {
      kind,
      name,
      start,
      ownEnd,
      end,
      statements: statementsIn(tokens, start, end),
      defaults: takes,
    }
    sections.push(section)
    if (kind !== 'defaults') return
    lastDefaults = section
    defaults.set(name, section)
  })
  return { sections, isConditional: (line) => depths[line]! > 0 }
}

function headOf(line: string): readonly [kind: string, name: string, from: string | undefined] {
  const tokens = readTokens(line).map(({ text }) => text)
  const from = tokens.indexOf('from', 1)
  return [tokens[0]!, tokens[1] ?? '', from === -1 ? undefined : tokens[from + 1]]
}

function depthsOf(tokens: readonly (string | undefined)[]): Uint32Array {
  const depths = new Uint32Array(tokens.length)
  let depth = 0
  tokens.forEach((token, at) => {
    if (token === '.endif' && depth > 0) depth--
    depths[at] = depth
    if (token === '.if') depth++
  })
  return depths
}

function statementsIn(
  tokens: readonly (string | undefined)[],
  start: number,
  end: number,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (let at = start + 1; at < end; at++) {
    const token = tokens[at]
    if (token === undefined) continue
    const lines = found.get(token)
    if (lines === undefined) found.set(token, [at])
    else lines.push(at)
  }
  return found
}

/**
 * A condition that was opened before the section ends the section; one that is opened inside it and not
 * closed there belongs to what follows.
 */
function findOwnEnd(tokens: readonly (string | undefined)[], start: number, end: number): number {
  let depth = 0
  let ownEnd = start + 1
  for (let at = start + 1; at < end; at++) {
    const token = tokens[at]
    if (token === undefined) continue
    if (depth === 0 && (token === '.endif' || token === '.else' || token === '.elif')) return ownEnd
    if (token === '.if') depth++
    else if (token === '.endif') depth--
    if (depth === 0) ownEnd = at + 1
  }
  return ownEnd
}

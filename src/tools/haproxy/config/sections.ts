import { OnlyByHand } from '../problems.ts'
import { type Config, spliceLines } from './config.ts'
import { outlineOf, type Section } from './outline.ts'

export type { Section } from './outline.ts'

/** The sections in order, including those inside `.if` blocks, whose conditions only HAProxy can evaluate. */
export const sectionsOf = (config: Config): readonly Section[] => outlineOf(config).sections

/** Returns the first section of one of these kinds with this name. */
export function findSection(config: Config, kinds: readonly string[], name: string): Section | undefined {
  return sectionsOf(config).find((section) => section.name === name && kinds.includes(section.kind))
}

/** Returns the lines of a section's statements with this first word. */
export function linesOf(config: Config, section: Section, keyword: string): readonly string[] {
  return (section.statements.get(keyword) ?? []).map((at) => config.lines[at]!)
}

/** Returns a section followed by the defaults that apply to it, nearest first. */
export function inheritanceOf(section: Section): readonly Section[] {
  const chain = [section]
  for (let { defaults } = section; defaults !== undefined; { defaults } = defaults) chain.push(defaults)
  return chain
}

/** Refuses to edit a line in a conditional block: only HAProxy can evaluate the condition. */
export function refuseConditional(config: Config, line: number, what: string): void {
  if (outlineOf(config).isConditional(line))
    throw OnlyByHand(`${what} is between .if and .endif: edit it as text`)
}

/** Appends a section after an empty line. */
export function appendSection(config: Config, lines: readonly string[]): Config {
  const isApart = config.lines.length === 0 || config.lines.at(-1)!.trim() === ''
  return spliceLines(config, config.lines.length, config.lines.length, isApart ? lines : ['', ...lines])
}

/**
 * Removes a section with its indented comments; unindented comments after it belong to the following section.
 */
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

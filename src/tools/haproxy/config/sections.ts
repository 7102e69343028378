import { OnlyByHand } from '../problems.ts'
import { type Config, spliceLines } from './config.ts'
import { outlineOf, type Section } from './outline.ts'

export type { Section } from './outline.ts'

/** The sections in their order, also those inside `.if` blocks, whose conditions only HAProxy can judge. */
export const sectionsOf = (config: Config): readonly Section[] => outlineOf(config).sections

/** The first section of one of these kinds with this name. */
export function findSection(config: Config, kinds: readonly string[], name: string): Section | undefined {
  return sectionsOf(config).find((section) => section.name === name && kinds.includes(section.kind))
}

/** The lines of a section's statements with this first word. */
export function linesOf(config: Config, section: Section, keyword: string): readonly string[] {
  return (section.statements.get(keyword) ?? []).map((at) => config.lines[at]!)
}

/** A section with the defaults it takes, nearest first. */
export function inheritanceOf(section: Section): readonly Section[] {
  const chain = [section]
  for (let { defaults } = section; defaults !== undefined; { defaults } = defaults) chain.push(defaults)
  return chain
}

/** Refuses to edit a line of which nobody but HAProxy knows whether it holds. */
export function refuseConditional(config: Config, line: number, what: string): void {
  if (outlineOf(config).isConditional(line))
    throw OnlyByHand(`${what} stands between .if and .endif: change it as text`)
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

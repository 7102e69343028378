import type { Config } from './config.ts'
import { type Section, sectionsOf } from './sections.ts'
import { readServer, type ServerView } from './server-line.ts'
import { firstWord, readWords } from './words.ts'

/** A backend, or the part of a `listen` section that is one. */
export interface BackendView {
  readonly name: string
  readonly kind: 'backend' | 'listen'
  /** What holds, be it set in the section or in its defaults. */
  readonly mode: string
  readonly balance: string
  /** Whether the section itself names its mode. */
  readonly namesMode: boolean
  readonly servers: readonly ServerView[]
}

/** The backends in their order. */
export function backendsOf(config: Config): readonly BackendView[] {
  const sections = sectionsOf(config)
  return sections.flatMap((section, index) => {
    if (section.kind !== 'backend' && section.kind !== 'listen') return []
    const setting = settingOf(config, sections, index)
    const servers: ServerView[] = []
    for (const line of statementsOf(config, section, 'server')) {
      const server = readServer(line)
      if (server !== undefined) servers.push(server)
    }
    const namesMode = statementsOf(config, section, 'mode').length > 0
    const { name, kind } = section
    return [{ name, kind, mode: setting('mode')[0] ?? 'tcp', balance: setting('balance').join(' ') || 'roundrobin', namesMode, servers }]
  })
}

/** The lines of a section whose first word is this one. */
export function statementsOf({ lines }: Config, { start, end }: Section, keyword: string): readonly string[] {
  const found: string[] = []
  for (let at = start + 1; at < end; at++) if (firstWord(lines[at]!) === keyword) found.push(lines[at]!)
  return found
}

/** Reads a setting of a section: its own, else that of the defaults it takes. Gives the words after the keyword. */
export function settingOf(config: Config, sections: readonly Section[], index: number): (keyword: string) => readonly string[] {
  const chain = inheritance(config, sections, index)
  return (keyword) => {
    for (const section of chain) {
      const line = statementsOf(config, section, keyword).at(-1)
      if (line !== undefined)
        return readWords(line)
          .slice(1)
          .map(({ text }) => text)
    }
    return []
  }
}

/** A section and the defaults it takes: those it names after `from`, else the last ones before it. */
function inheritance(config: Config, sections: readonly Section[], index: number): readonly Section[] {
  const chain: Section[] = [sections[index]!]
  let at = index
  for (;;) {
    const words = readWords(config.lines[sections[at]!.start]!).map(({ text }) => text)
    const named = words.indexOf('from') > 0 ? words[words.indexOf('from') + 1] : undefined
    const isDefaults = sections[at]!.kind === 'defaults'
    if (isDefaults && named === undefined) return chain
    const found = sections.slice(0, at).findLastIndex((section) => section.kind === 'defaults' && (named === undefined || section.name === named))
    if (found === -1) return chain
    chain.push(sections[found]!)
    at = found
  }
}

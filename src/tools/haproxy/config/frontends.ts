import { type Config } from './config.ts'
import { partKinds, type FrontendParts } from './frontend-parts.ts'
import { settingOf } from './proxies.ts'
import { sectionsOf } from './sections.ts'

/** A frontend, or the part of a `listen` section that is one. */
export interface FrontendView extends FrontendParts {
  readonly name: string
  readonly kind: 'frontend' | 'listen'
  /** What holds, be it set in the section or in its defaults. */
  readonly mode: string
}

/** The frontends in their order. */
export function frontendsOf(config: Config): readonly FrontendView[] {
  const sections = sectionsOf(config)
  return sections.flatMap((section, index): FrontendView[] => {
    const { kind, name, start, end } = section
    if (kind !== 'frontend' && kind !== 'listen') return []
    const parts = readParts(config.lines.slice(start + 1, end))
    return [{ ...parts, name, kind, mode: settingOf(config, sections, index)('mode')[0] ?? 'tcp' }]
  })
}

/** What the statements of a frontend's section say. */
export function readParts(lines: readonly string[]): FrontendParts {
  const items = (part: keyof FrontendParts): readonly any[] => {
    const kind = partKinds.find((each) => each.part === part)!
    return lines.flatMap((line) => {
      const item = kind.read(line)
      return item === undefined ? [] : [item]
    })
  }
  const maxConnections = items('maxConnections').at(-1)
  return {
    mode: items('mode').at(-1) ?? null,
    binds: items('binds'),
    defaultBackend: items('defaultBackend').at(-1) ?? null,
    maxConnections: /^\d{1,9}$/.test(maxConnections ?? '') ? Number(maxConnections) : null,
    timeouts: items('timeouts'),
    acls: items('acls'),
    rules: items('rules'),
    redirects: items('redirects'),
  }
}

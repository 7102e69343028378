import type { Config } from './config.ts'
import { frontendKinds, type FrontendParts } from './frontend-parts.ts'
import { readPart } from './section-parts.ts'
import { inheritanceOf, linesOf, sectionsOf } from './sections.ts'
import { readWords } from './words.ts'

/** A frontend, or the part of a `listen` section that is one. */
export interface FrontendView extends FrontendParts {
  readonly name: string
  readonly kind: 'frontend' | 'listen'
  /** What holds, be it set in the section or in its defaults. */
  readonly mode: string
}

/** The frontends in their order. */
export function frontendsOf(config: Config): readonly FrontendView[] {
  return sectionsOf(config).flatMap((section): FrontendView[] => {
    const { kind, name } = section
    if (kind !== 'frontend' && kind !== 'listen') return []
    const parts = Object.fromEntries(frontendKinds.map((each) => [each.part, readPart(config, section, each)])) as unknown as FrontendParts
    return [{ ...parts, name, kind, mode: modeOf(config, inheritanceOf(section)) }]
  })
}

/** The mode that holds, which is `tcp` where nothing says so. */
function modeOf(config: Config, chain: ReturnType<typeof inheritanceOf>): string {
  const line = chain.map((section) => linesOf(config, section, 'mode').at(-1)).find((found) => found !== undefined)
  return (line === undefined ? undefined : readWords(line)[1]?.text) ?? 'tcp'
}

import type { Config } from './config.ts'
import { frontendPart, type FrontendParts } from './frontend-parts.ts'
import { type PartKind, readPart } from './section-parts.ts'
import { inheritanceOf, linesOf, type Section, sectionsOf } from './sections.ts'
import { readTokens } from './tokens.ts'

/** A frontend, or the frontend part of a `listen` section. */
export interface FrontendView extends FrontendParts {
  readonly name: string
  readonly kind: 'frontend' | 'listen'
  /** The effective mode, from the section or its defaults. */
  readonly mode: string
}

/** Returns the frontends in order. */
export function frontendsOf(config: Config): readonly FrontendView[] {
  return sectionsOf(config).flatMap((section): FrontendView[] => {
    const { kind, name } = section
    if (kind !== 'frontend' && kind !== 'listen') return []
    return [{ ...partsIn(config, section), name, kind, mode: modeOf(config, inheritanceOf(section)) }]
  })
}

function partsIn(config: Config, section: Section): FrontendParts {
  const of = <Value>(kind: PartKind<any, Value>): Value => readPart(config, section, kind)
  const {
    mode,
    binds,
    defaultBackend,
    maxConnections,
    timeouts,
    forwardsAddress,
    compression,
    acls,
    rules,
    redirects,
  } = frontendPart
  return {
    mode: of(mode),
    binds: of(binds),
    defaultBackend: of(defaultBackend),
    maxConnections: of(maxConnections),
    timeouts: of(timeouts),
    forwardsAddress: of(forwardsAddress),
    compression: of(compression),
    acls: of(acls),
    rules: of(rules),
    redirects: of(redirects),
  }
}

/** Returns the effective mode, `tcp` if none is set. */
function modeOf(config: Config, chain: ReturnType<typeof inheritanceOf>): string {
  const line = chain
    .map((section) => linesOf(config, section, 'mode').at(-1))
    .find((found) => found !== undefined)
  return (line === undefined ? undefined : readTokens(line)[1]?.text) ?? 'tcp'
}

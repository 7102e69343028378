import { backendPart, type BackendParts } from './backend-parts.ts'
import type { Config } from './config.ts'
import { itemsIn, type PartKind, readPart } from './section-parts.ts'
import { findSection, inheritanceOf, type Section, sectionsOf } from './sections.ts'
import { readServer, serverName, type ServerView } from './server-line.ts'
import { type Param, paramsOf } from './server-params.ts'
import { readTokens } from './tokens.ts'

/**
 * A backend, or the backend part of a `listen` section, with its effective settings from the section and its
 * defaults.
 */
export interface BackendView extends BackendParts {
  readonly name: string
  readonly kind: 'backend' | 'listen'
  readonly mode: string
  readonly balance: string
  /** True if the section itself sets its mode. */
  readonly namesMode: boolean
  readonly servers: readonly ServerView[]
}

const views = new WeakMap<Config, readonly BackendView[]>()

/** Returns the backends in order. */
export function backendsOf(config: Config): readonly BackendView[] {
  const known = views.get(config) ?? sectionsOf(config).flatMap((section) => backendOf(config, section) ?? [])
  views.set(config, known)
  return known
}

/**
 * Returns the first server with this name in the first backend with the given name; the others are not
 * parsed.
 */
export function serverNamed(config: Config, backend: string, name: string): ServerView | undefined {
  const section = sectionNamed(config, backend)
  const at = section?.statements.get('server')?.find((line) => serverName(config.lines[line]!) === name)
  return section === undefined || at === undefined
    ? undefined
    : readServer(config.lines[at]!, inheritedParams(config, section, at))
}

/** Returns the first backend with this name. */
export function backendNamed(config: Config, name: string): BackendView | undefined {
  const found = sectionNamed(config, name)
  return found === undefined ? undefined : backendOf(config, found)
}

const sectionNamed = (config: Config, name: string) => findSection(config, ['backend', 'listen'], name)

function backendOf(config: Config, section: Section): BackendView | undefined {
  const { kind, name } = section
  if (kind !== 'backend' && kind !== 'listen') return undefined
  return {
    name,
    kind,
    ...effectiveParts(config, section),
    namesMode: section.statements.has('mode'),
    servers: serversOf(config, section),
  }
}

/** Returns the effective settings of a backend; timeouts are not inherited. */
export function effectiveParts(
  config: Config,
  section: Section,
): BackendParts & { readonly mode: string; readonly balance: string } {
  const chain = inheritanceOf(section)
  const nearest = <Value>(kind: PartKind<any, Value>): Value =>
    kind.valueOf(chain.map((each) => itemsIn(config, each, kind)).find((items) => items.length > 0) ?? [])
  const { mode, balance, httpCheck, sticky, timeouts, forwardsAddress, compression } = backendPart
  return {
    mode: String(nearest(mode) ?? 'tcp'),
    balance: nearest(balance) ?? 'roundrobin',
    httpCheck: httpCheck.valueOf(chain.flatMap((each) => itemsIn(config, each, httpCheck))),
    sticky: nearest(sticky),
    timeouts: readPart(config, section, timeouts),
    forwardsAddress: nearest(forwardsAddress),
    compression: nearest(compression),
  }
}

/**
 * Returns the parameters that a server line inherits from preceding `default-server` lines; the last value of
 * each.
 */
export function inheritedParams(config: Config, section: Section, line: number): readonly Param[] {
  return inheritanceOf(section)
    .toReversed()
    .flatMap((each) =>
      (each.statements.get('default-server') ?? []).filter((at) => each !== section || at < line),
    )
    .reduce<readonly Param[]>((params, at) => over(params, config.lines[at]!), [])
}

function serversOf(config: Config, section: Section): readonly ServerView[] {
  const own = section.statements.get('default-server') ?? []
  let inherited = inheritedParams(config, section, section.start)
  let passed = 0
  return (section.statements.get('server') ?? []).flatMap((at) => {
    while (passed < own.length && own[passed]! < at)
      inherited = over(inherited, config.lines[own[passed++]!]!)
    return readServer(config.lines[at]!, inherited) ?? []
  })
}

/**
 * Merges one `default-server` line into the preceding ones: the last value of each parameter wins, and the
 * last of a flag and its `no-` form.
 */
function over(inherited: readonly Param[], line: string): readonly Param[] {
  const params = [...inherited, ...paramsOf(line, readTokens(line), 1)]
  return [...new Map(params.map((each) => [each.key.replace(/^no-/, ''), each])).values()]
}

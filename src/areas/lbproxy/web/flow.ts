import type { Backend, Frontend } from '../model.ts'

/** One route of traffic from a frontend to a backend. */
export interface Way {
  readonly frontend: string
  readonly backend: string
  /** Undefined for the default route, which is taken when no rule matches. */
  readonly condition: string | undefined
}

/** Returns every route from the frontends to the backends. A listen section sends to its own servers. */
export function waysOf(frontends: readonly Frontend[], backends: readonly Backend[]): readonly Way[] {
  const known = new Set(backends.map(({ name }) => name))
  return frontends.flatMap((frontend): readonly Way[] => {
    const own = frontend.kind === 'listen' && known.has(frontend.name) ? [frontend.name] : []
    const fallback = frontend.default_backend === null ? own : [frontend.default_backend]
    return [
      ...frontend.rules.map(({ backend, condition }) => ({
        frontend: frontend.name,
        backend,
        condition: condition ?? 'always',
      })),
      ...fallback.map((backend) => ({ frontend: frontend.name, backend, condition: undefined })),
    ]
  })
}

/** Sorts backends in the order of their frontends and unused ones last, so that few lines cross. */
export function inOrderOfUse(backends: readonly Backend[], ways: readonly Way[]): readonly Backend[] {
  const rank = new Map<string, number>()
  for (const { backend } of ways) if (!rank.has(backend)) rank.set(backend, rank.size)
  return backends.toSorted(
    (one, other) => (rank.get(one.name) ?? Infinity) - (rank.get(other.name) ?? Infinity) || 0,
  )
}

/** Returns true if the name or address of a part, or of one of its children, contains the text. */
export function frontendMatches({ name, binds }: Frontend, letters: string): boolean {
  return [name, ...binds.map(({ address, port }) => `${address}:${port ?? ''}`)].some((each) =>
    each.toLowerCase().includes(letters),
  )
}

export function backendMatches({ name, servers }: Backend, letters: string): boolean {
  return [name, ...servers.flatMap((server) => [server.name, server.address])].some((each) =>
    each.toLowerCase().includes(letters),
  )
}

import type { Area } from './area.ts'
import type { PartsOf, Point } from './point.ts'

interface Bound {
  readonly area: Area<any, any>
  readonly context: object
}

/**
 * Collects the parts that the areas contribute. Throws for an area that precedes one it uses, a cycle, and a
 * point that no such area declares.
 */
export function collectParts(bound: readonly Bound[]): PartsOf {
  const areas = bound.map(({ area }) => area)
  for (const area of areas) assertAfterUsed(area, areas)
  const parts = new Map<Point<unknown>, unknown[]>()
  for (const { area, context } of bound)
    for (const { to, part } of area.contributes?.(context) ?? []) {
      assertDeclared(to, area, areas)
      parts.set(to, [...(parts.get(to) ?? []), part])
    }
  return <Part>(of: Point<Part>) => (parts.get(of) ?? []) as Part[]
}

function assertAfterUsed(area: Area<any, any>, areas: readonly Area<any, any>[]): void {
  if (allUsedBy(area).has(area)) throw new Error(`the area ${area.name} uses itself in a circle`)
  const late = area.uses?.find((used) => areas.indexOf(used) > areas.indexOf(area))
  if (late) throw new Error(`the area ${area.name} is listed before ${late.name}, which it uses`)
}

function assertDeclared(to: Point<unknown>, area: Area<any, any>, areas: readonly Area<any, any>[]): void {
  const owner = areas.find(({ points = [] }) => points.includes(to))
  if (owner === undefined)
    throw new Error(`the area ${area.name} contributes to the point ${to.name}, which no area declares`)
  if (!allUsedBy(area).has(owner))
    throw new Error(`the area ${area.name} contributes to the point ${to.name} without using ${owner.name}`)
}

function allUsedBy({ uses = [] }: Area<any, any>, found = new Set<Area<any, any>>()): Set<Area<any, any>> {
  for (const used of uses) if (!found.has(used)) allUsedBy(used, found.add(used))
  return found
}

import type { Area, Detected } from '../core/area.ts'
import type { AreaState, Deps } from '../areas/deps.ts'
import type { Store } from '../store/store.ts'

const rememberedMs = 10_000

/**
 * Queries the programs that every area needs, and the reason why an area is disabled. Cached for a few seconds, as pages ask often, and
 * no longer than until a job ends: it may have installed or removed a program.
 */
export function surveyor(
  areas: readonly Area<any, any>[],
  deps: () => Deps,
  store: Pick<Store, 'onWritten'>,
): Deps['survey'] {
  let last: { readonly at: number; readonly states: Promise<readonly AreaState[]> } | undefined
  store.onWritten(['jobs'], () => void (last = undefined))
  return () => {
    if (last && performance.now() - last.at < rememberedMs) return last.states
    last = { at: performance.now(), states: Promise.all(areas.map((area) => stateOf(area, deps()))) }
    return last.states
  }
}

async function stateOf(area: Area<any, any>, deps: Deps): Promise<AreaState> {
  const programs: readonly Detected[] = await Promise.all(
    (area.needs ?? []).map((need) => deps.tools.detect(need)),
  )
  const missing = programs.find((program) => !program.healthy)
  const { name, title, menu, guard } = area
  return {
    name,
    title,
    menu,
    guard,
    plugin: area.plugin ?? area.ownSwitch ?? null,
    available: missing === undefined,
    reason: missing?.reason ?? null,
    programs,
  }
}

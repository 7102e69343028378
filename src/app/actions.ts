import type { Deps } from '../areas/deps.ts'
import { actionOf, type Route } from '../surfaces/routes.ts'

/** Returns the changing endpoints by the action of their activity entries; the routes are complete once all areas are open. */
export function actionsOf(routes: () => readonly Route[]): Deps['actions'] {
  let known: ReturnType<Deps['actions']> | undefined
  return () =>
    (known ??= new Map(
      routes()
        .filter(({ endpoint }) => endpoint.effect !== 'reads')
        .map((route) => [actionOf(route), { title: route.endpoint.summary, area: route.area.name }]),
    ))
}

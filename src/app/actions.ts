import type { Deps } from '../areas/deps.ts'
import { actionOf, type Route } from '../surfaces/routes.ts'

/** Returns the titles of activity entries by their action: those of the changing endpoints, and those that areas write; the routes are complete once all areas are open. */
export function actionsOf(routes: () => readonly Route[]): Deps['actions'] {
  let known: ReturnType<Deps['actions']> | undefined
  return () =>
    (known ??= new Map([
      ...routes()
        .filter(({ endpoint }) => endpoint.effect !== 'reads')
        .map((route) => titled(actionOf(route), route.endpoint.summary, route)),
      ...routes().flatMap((route) =>
        Object.entries(route.area.entries ?? {}).map(([action, title]) => titled(action, title, route)),
      ),
    ]))
}

const titled = (action: string, title: string, { area }: Route) =>
  [action, { title, area: area.name }] as const

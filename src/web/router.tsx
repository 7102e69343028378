import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { areaPages, type LoadPage } from './area-pages.ts'
import { loaded } from './connection.ts'
import { Landing } from './shell/Landing.tsx'
import { Missing } from './shell/Missing.tsx'
import { Shell } from './shell/Shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: () => <Missing /> })
const asModule = (load: LoadPage) => async () => ({ default: await loaded(load) })

const pages = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    component: Landing,
  }),
  ...[...areaPages.values()].flatMap(({ byPath }) =>
    Object.entries(byPath).map(([path, load]) =>
      createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(asModule(load)) }),
    ),
  ),
]

/** The router with every page of the panel; each page is loaded when it is opened. */
export const router = createRouter({
  routeTree: root.addChildren(pages),
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error }) => <Missing error={error} />,
})

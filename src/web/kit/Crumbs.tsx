import { Anchor } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { useAreas } from '../../areas/programs/web/queries.ts'
import { areaPages } from '../area-pages.ts'
import { parentPaths } from './parent-paths.ts'
import classes from './Crumbs.module.css'

const paths: ReadonlySet<string> = new Set(
  [...areaPages.values()].flatMap(({ byPath }) => Object.keys(byPath)),
)
const titles: ReadonlyMap<string, string> = new Map(
  [...areaPages.values()].flatMap((pages) => Object.entries(pages.titles ?? {})),
)

/** The way from the menu to a page below another one; nothing on other pages. */
export function Crumbs({ title }: { readonly title: string }) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const areas = useAreas()
  const parents = parentPaths(path, paths).flatMap((to) => {
    const name = titles.get(to) ?? areas.data?.find((area) => area.path === to)?.title
    return name === undefined || name === title ? [] : [{ to, name }]
  })
  if (parents.length === 0) return null
  return (
    <nav aria-label="Breadcrumbs">
      <ol className={classes.crumbs}>
        {parents.map(({ to, name }) => (
          <li key={to}>
            <Anchor
              size="sm"
              renderRoot={(props) => <Link {...props} to={to as never} activeOptions={{ exact: true }} />}
            >
              {name}
            </Anchor>
          </li>
        ))}
        <li aria-current="page" className="anywhere">
          {title}
        </li>
      </ol>
    </nav>
  )
}

import { Link, useRouterState } from '@tanstack/react-router'
import classes from './PageTabs.module.css'

/** One page of several that belong together. */
export interface PageTab {
  readonly to: string
  readonly label: string
}

/** The way between pages that belong together: links, so that each has an address of its own. */
export function PageTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly PageTab[] }) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to as never} className={classes.tab} aria-current={path === tab.to ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}

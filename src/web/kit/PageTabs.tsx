import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import classes from './PageTabs.module.css'

/** One of several related pages. */
export interface PageTab {
  readonly to: string
  readonly label: string
  /** The object that the page shows; it does not matter for which tab is current. */
  readonly search?: Readonly<Record<string, string | number>>
}

/** Tabs between related pages, as links so that each page has its own URL. */
export function PageTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly PageTab[] }) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path])
  return (
    <nav ref={bar} aria-label={label} className={classes.tabs}>
      {tabs.map(({ to, label: text, search }) => (
        <Link
          key={to}
          to={to as never}
          {...(search && { search: search as never })}
          className={classes.tab}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
